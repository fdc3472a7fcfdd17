import type { DetailedError } from '@cedar-policy/cedar-wasm/nodejs'
import type { ConfigProblem } from '../../../platform/config/describe-problem.js'
import { blankComments } from '../../rules/blank-comments.js'
import { keysIn } from './cedar-entities.js'
import type { Cedar } from './load-cedar.js'

/** One policy with its annotations. */
export interface CedarPolicy {
  id: string
  text: string
  /** The file, or another name of the text. */
  file: string
  line: number
  isAsk: boolean
  message: string | undefined
}

export interface ParsedPolicies {
  policies: CedarPolicy[]
  /** Keys of the entities that the policies name. */
  named: string[]
  problems: ConfigProblem[]
}

/** Parses policy texts, each by the name of its file. Every problem has its line. */
export function parseCedarPolicies(cedar: Cedar, texts: Readonly<Record<string, string>>): ParsedPolicies {
  const byId = new Map<string, CedarPolicy>()
  const named = new Set<string>()
  const problems: ConfigProblem[] = []
  for (const [file, text] of Object.entries(texts)) {
    const parts = cedar.policySetTextToParts(text)
    if (parts.type === 'failure') {
      problems.push(...parts.errors.map((error) => toProblem(error, { file, text })))
      continue
    }
    for (const template of parts.policy_templates) problems.push(templateProblem(file, text, template))
    if (parts.policy_templates.length > 0) continue
    const places = placesOf(text, inFileOrder(parts.policies))
    for (const { text: part, line } of places) {
      const isAlone = places.length === 1
      const { policy, problem, keys } = readPolicy(cedar, part, { file, line, isAlone })
      const twin = policy && byId.get(policy.id)
      if (problem) problems.push({ file, line, message: problem })
      if (twin) problems.push({ file, line, message: twinSentence(twin) })
      else if (policy) byId.set(policy.id, policy)
      for (const key of keys) named.add(key)
    }
  }
  return { policies: [...byId.values()], named: [...named], problems }
}

interface TextPosition {
  file: string
  line: number
  isAlone: boolean
}

function readPolicy(
  cedar: Cedar,
  text: string,
  { file, line, isAlone }: TextPosition,
): { policy?: CedarPolicy; problem?: string; keys: string[] } {
  const read = cedar.policyToJson(text)
  if (read.type === 'failure') return { problem: sentenceOf(read.errors[0]), keys: [] }
  const { effect, annotations = {} } = read.json
  const { id, behavior, message } = annotations as Record<string, string | null | undefined>
  const policy = {
    id: id || (isAlone ? file : `${file}:${line}`),
    text,
    file,
    line,
    isAsk: behavior === 'ask',
    message: message || undefined,
  }
  const problem = behavior === undefined ? undefined : behaviorProblem(behavior, effect)
  return { policy, keys: keysIn(read.json), ...(problem && { problem }) }
}

function behaviorProblem(behavior: string | null, effect: 'permit' | 'forbid'): string | undefined {
  if (effect === 'forbid')
    return '@behavior says nothing on a forbid, which always denies; put it on a permit'
  if (behavior === 'ask' || behavior === 'allow') return undefined
  return `@behavior("${behavior ?? ''}") is not known; write @behavior("ask") or leave it out`
}

const twinSentence = ({ id, file, line }: CedarPolicy): string =>
  `the policy id "${id}" is taken by ${file}:${line}; give this one an @id of its own`

function templateProblem(file: string, text: string, template: string): ConfigProblem {
  return {
    file,
    line: lineAt(text, Math.max(0, text.indexOf(template))),
    message: 'templates (?principal, ?resource) are not possible here; write the entity out',
  }
}

/** Cedar numbers the policies of a text and returns them sorted by name: policy10 before policy2. */
function inFileOrder(parts: readonly string[]): string[] {
  const order = parts.map((_, index) => index).toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
  const sorted: string[] = []
  for (const [index, place] of order.entries()) sorted[place] = parts[index]!
  return sorted
}

/** Where each policy starts. Comments are excluded: they often hold an old form of a policy. */
function placesOf(text: string, parts: readonly string[]): { text: string; line: number }[] {
  const bare = blankComments(text)
  let from = 0
  return parts.map((part) => {
    const start = Math.max(from, bare.indexOf(blankComments(part), from))
    from = start + part.length
    return { text: part, line: lineAt(text, start) }
  })
}

/** A problem that Cedar found in a text, with its line in the file; the text starts on `firstLine`. */
export function toProblem(
  error: DetailedError,
  { file, text, firstLine = 1 }: { file: string; text: string; firstLine?: number },
): ConfigProblem {
  const start = error.sourceLocations?.[0]?.start
  const message = sentenceOf(error)
  if (start === undefined) return { file, message }
  return { file, line: firstLine - 1 + lineAt(text, charsIn(text, start)), message }
}

export function sentenceOf(error: DetailedError | undefined): string {
  if (!error) return 'Cedar does not say what is wrong with it'
  const { message, help, sourceLocations } = error
  const label = sourceLocations?.[0]?.label
  return `${message}${label ? `, ${label}` : ''}${help ? ` (${help})` : ''}`
}

/** Cedar counts bytes of UTF-8. */
function charsIn(text: string, bytes: number): number {
  return Buffer.from(text, 'utf8').subarray(0, bytes).toString('utf8').length
}

function lineAt(text: string, chars: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < chars; at = text.indexOf('\n', at + 1)) line++
  return line
}
