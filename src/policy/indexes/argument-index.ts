import { canonicalJson } from '../../platform/json/canonical-json.js'
import { addTo, ALLOW, pick, type Entry } from '../rules/entry.js'
import type { JudgedCall } from '../judged-call.js'
import { argumentAt, digestOf, type ArgumentCondition } from '../patterns/argument-condition.js'
import { TextIndex } from './text-index.js'

interface FieldRules {
  readonly field: string
  readonly equal: Map<unknown, Entry[]>
  readonly digests: Map<string, Entry[]>
  readonly texts: TextIndex
  hasTexts: boolean
  readonly bounds: Bound[]
  /** The last text whose digest was computed. */
  lastText: string | undefined
  lastDigest: string
}

interface Bound {
  readonly comparison: '<' | '<=' | '>' | '>='
  readonly limit: number
  readonly entries: Entry[]
}

const newField = (field: string): FieldRules => ({
  field,
  equal: new Map(),
  digests: new Map(),
  texts: new TextIndex(),
  hasTexts: false,
  bounds: [],
  lastText: undefined,
  lastDigest: '',
})

/** Rules about arguments, by field and value. A rule with several conditions is found by one and tested for the rest. */
export class ArgumentIndex {
  readonly #fields: FieldRules[] = []
  readonly #byName = new Map<string, FieldRules>()
  readonly #others: Entry[] = []

  get isEmpty(): boolean {
    return this.#fields.length === 0 && this.#others.length === 0
  }

  /** `first` is the condition to find it by; the entry's own `holds` tests all others. */
  add(first: ArgumentCondition, entry: Entry): void {
    const { field, comparison, value } = first
    switch (comparison) {
      case '=':
        if (isScalar(value)) return addTo(this.#of(field).equal, value, entry)
        break
      case 'in':
        if ((value as unknown[]).every(isScalar)) {
          for (const each of value as unknown[]) addTo(this.#of(field).equal, each, entry)
          return
        }
        break
      case 'sha256':
        return addTo(this.#of(field).digests, value as string, entry)
      case '~':
        this.#of(field).hasTexts = true
        return this.#of(field).texts.add(value as string, entry)
      case '<':
      case '<=':
      case '>':
      case '>=':
        return addBound(this.#of(field).bounds, { comparison, limit: value as number, entries: [entry] })
      case '!=':
      case 'not in':
        break
    }
    this.#others.push(entry)
  }

  #of(field: string): FieldRules {
    let rules = this.#byName.get(field)
    if (!rules) {
      rules = newField(field)
      this.#byName.set(field, rules)
      this.#fields.push(rules)
    }
    return rules
  }

  find(call: JudgedCall): Entry | undefined {
    let best = this.#others.length > 0 ? pickAny(undefined, this.#others, call) : undefined
    for (const rules of this.#fields) {
      const value = argumentAt(call.input, rules.field)
      if (value === undefined) continue
      if (rules.equal.size > 0 && isScalar(value)) best = pick(best, rules.equal.get(value), call)
      if (rules.bounds.length > 0) best = pickBound(best, rules.bounds, value, call)
      if (rules.hasTexts) {
        best = rules.texts.find(typeof value === 'string' ? value : canonicalJson(value), best, call)
      }
      if (rules.digests.size > 0) best = pick(best, rules.digests.get(digestIn(rules, value)), call)
    }
    return best
  }
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

/** Not sorted by strictness: every one is tested. */
function pickAny(best: Entry | undefined, entries: readonly Entry[], call: JudgedCall): Entry | undefined {
  let now = best
  for (const entry of entries) now = pick(now, [entry], call)
  return now
}

// Only for texts: the content of the same object may have changed.
function digestIn(rules: FieldRules, value: unknown): string {
  if (typeof value !== 'string') return digestOf(value)
  if (rules.lastText !== value) {
    rules.lastText = value
    rules.lastDigest = digestOf(value)
  }
  return rules.lastDigest
}

const isUpper = ({ comparison }: Bound): boolean => comparison === '<' || comparison === '<='

/** Of bounds in one direction with the same rank and without further conditions, only the widest can decide. */
function addBound(bounds: Bound[], bound: Bound): void {
  const [entry] = bound.entries
  const same = bounds.findIndex(
    (other) =>
      other.comparison === bound.comparison &&
      other.entries[0]!.rank === entry!.rank &&
      other.entries[0]!.holds === undefined &&
      entry!.holds === undefined,
  )
  if (same === -1) {
    bounds.push(bound)
    return
  }
  const isWider = isUpper(bound) ? bound.limit > bounds[same]!.limit : bound.limit < bounds[same]!.limit
  if (isWider) bounds[same] = bound
}

function pickBound(
  best: Entry | undefined,
  bounds: readonly Bound[],
  value: unknown,
  call: JudgedCall,
): Entry | undefined {
  let now = best
  for (const { comparison, limit, entries } of bounds) {
    // Not a number: it cannot be compared, so a deny or ask counts and an allow does not.
    const isMet = typeof value === 'number' ? isWithin(value, comparison, limit) : entries[0]!.rank > ALLOW
    if (isMet) now = pick(now, entries, call)
  }
  return now
}

function isWithin(value: number, comparison: Bound['comparison'], limit: number): boolean {
  switch (comparison) {
    case '<':
      return value < limit
    case '<=':
      return value <= limit
    case '>':
      return value > limit
    case '>=':
      return value >= limit
  }
}
