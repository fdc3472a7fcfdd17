import { extname } from 'node:path'
import type { Document, YAMLSeq } from 'yaml'
import { isObject } from '../../platform/json/is-object.js'
import { sameJson } from '../../platform/json/same-json.js'
import { BLOCK_KEYS } from '../rules/read-rules.js'
import type { RuleUpdate } from '../rules/rule-update.js'
import {
  hasPadding,
  withItem,
  withList,
  withOtherItem,
  withoutItem,
  type ListText,
} from './edit-list-text.js'
import { isRuleText } from './rule-files.js'

/** The text of a rule file after an update; comments and everything else in it stay as they were written. */
export async function editRuleText(before: string, path: string, update: RuleUpdate): Promise<string> {
  if (!isRuleText(path)) {
    throw new Error(`${path} is a program; change its rules there, or choose another destination.`)
  }
  const yaml = await import('yaml')
  const editor = editorFor(before, { path, yaml })
  apply(update, editor)
  return extname(path) === '.json' ? `${JSON.stringify(editor.toJS(), null, 2)}\n` : editor.text()
}

/** Where the lists are: at the top level of a rule file, in a block of a config. An empty file gets the block. */
function blockIn(document: Document): string[] {
  if (document.contents === null) return ['permission']
  const block = ['permission', 'permissions'].find((key) => document.has(key))
  if (block !== undefined) return [block]
  return BLOCK_KEYS.some((key) => document.has(key)) ? [] : ['permission']
}

interface Editor {
  /** `reason`: why, beside each value. */
  add(key: string, values: readonly unknown[], reason?: string): void
  remove(key: string, values: readonly string[]): void
  replace(
    from: { readonly key: string; readonly value: string },
    to: { readonly key: string; readonly value: string; readonly reason?: string | undefined },
  ): void
  set(key: string, value: unknown): void
  text(): string
  toJS(): unknown
}

function editorFor(before: string, { path, yaml }: { path: string; yaml: typeof import('yaml') }): Editor {
  let text = before
  let document = yaml.parseDocument(text)
  if (document.errors.length > 0) {
    throw new Error(`${path} cannot be read, so it is not changed: mend it first.`)
  }
  const block = blockIn(document)
  const at = (key: string): string[] => [...block, key]
  const listAt = (key: string): YAMLSeq | undefined => {
    const node: unknown = document.getIn(at(key))
    return yaml.isSeq(node) ? node : undefined
  }
  const entriesAt = (key: string): unknown[] => (listAt(key)?.toJSON() as unknown[] | undefined) ?? []

  /** In place where the text allows that. Otherwise the library writes the whole text, without the layout of its lists. */
  function change(edit: () => void, inPlace: (of: ListText) => string | undefined): void {
    const guess = inPlace({ text, yaml })
    // A block that is there and holds nothing has no place for a list.
    if (block.length > 0 && !yaml.isMap(document.getIn(block))) document.setIn(block, document.createNode({}))
    edit()
    const guessed = guess === undefined ? undefined : yaml.parseDocument(guess)
    const isSame = guessed?.errors.length === 0 && sameJson(guessed.toJS(), document.toJS())
    text = isSame ? guess! : document.toString({ lineWidth: 0, flowCollectionPadding: hasPadding(text) })
    document = yaml.parseDocument(text)
  }

  function addEntry(key: string, entry: unknown): void {
    const list = listAt(key)
    const isEmpty = !list || list.items.length === 0
    change(
      () =>
        isEmpty
          ? document.setIn(at(key), document.createNode([entry]))
          : document.addIn(at(key), document.createNode(entry)),
      (of) => {
        if (list) return withItem(of, list, entry)
        const parent: unknown = block.length === 0 ? document.contents : document.getIn(block)
        if (yaml.isMap(parent)) return withList(of, parent, { key, entries: [entry] })
        const { contents } = document
        const [name] = block
        if (name === undefined || !yaml.isMap(contents) || contents.flow || contents.has(name))
          return undefined
        const head = text.endsWith('\n') ? text : `${text}\n`
        return head + yaml.stringify({ [name]: { [key]: [entry] } }, { lineWidth: 0 })
      },
    )
  }

  /** Positions of the entries of a list that read so. */
  function find(key: string, value: string): number[] {
    const found = entriesAt(key).flatMap((entry, index) => (textOf(entry) === value ? [index] : []))
    if (found.length === 0) throw new Error(`${path} holds no ${key} rule "${value}".`)
    return found
  }

  function removeAt(key: string, index: number): void {
    const list = listAt(key)!
    change(
      () => document.deleteIn([...at(key), index]),
      (of) => withoutItem(of, list, index),
    )
  }

  return {
    add(key, values, reason) {
      const present = entriesAt(key)
      for (const value of values.filter((each) => !present.includes(each)))
        addEntry(key, reason === undefined ? value : { rule: value, reason })
    },
    remove(key, values) {
      // From the end, so that earlier positions stay valid.
      for (const value of values) for (const index of find(key, value).toReversed()) removeAt(key, index)
    },
    replace(from, to) {
      for (const index of find(from.key, from.value).toReversed()) {
        const entry = withOtherRule(entriesAt(from.key)[index], to)
        if (from.key !== to.key) {
          removeAt(from.key, index)
          addEntry(to.key, entry)
          continue
        }
        const list = listAt(from.key)!
        change(
          () => document.setIn([...at(from.key), index], document.createNode(entry)),
          (of) => withOtherItem(of, list, { index, entry }),
        )
      }
    },
    set(key, value) {
      const present: unknown = document.getIn(at(key), true)
      change(
        () => document.setIn(at(key), value),
        () => withOtherScalar(text, present, yaml.stringify(value).trimEnd()),
      )
    },
    text: () => text,
    toJS: () => document.toJS() as unknown,
  }
}

function withOtherScalar(text: string, present: unknown, fresh: string): string | undefined {
  const { range } = (present ?? {}) as { range?: [number, number, number] | null }
  return range ? text.slice(0, range[0]) + fresh + text.slice(range[1]) : undefined
}

/** The entry with another rule and another reason; its conditions and examples stay. */
function withOtherRule(
  entry: unknown,
  { value, reason }: { readonly value: string; readonly reason?: string | undefined },
): unknown {
  if (!isObject(entry)) return reason === undefined ? value : { rule: value, reason }
  const { reason: _, ...kept } = entry
  const name = Object.hasOwn(kept, 'rule') || !Object.hasOwn(kept, 'tool') ? 'rule' : 'tool'
  return { ...kept, [name]: value, ...(reason !== undefined && { reason }) }
}

/** The text of an entry, in the same form as a parsed rule has it. */
function textOf(entry: unknown): unknown {
  const said: unknown =
    typeof entry === 'object' && entry !== null
      ? (Reflect.get(entry, 'rule') ?? Reflect.get(entry, 'tool'))
      : entry
  return typeof said === 'string' ? said.trim() : said
}

function apply(update: RuleUpdate, { add, remove, replace, set }: Editor): void {
  switch (update.type) {
    case 'add_rules':
      return add(update.behavior, update.rules, update.reason)
    case 'remove_rules':
      return remove(update.behavior, update.rules)
    case 'replace_rules': {
      const { behavior: key, rules, replaces, reason } = update
      const [first, ...others] = replaces
      const [value, ...more] = rules
      const isInPlace = first !== undefined && value !== undefined
      for (const { behavior, rule } of isInPlace ? others : replaces) remove(behavior, [rule])
      if (isInPlace) replace({ key: first.behavior, value: first.rule }, { key, value, reason })
      return add(key, isInPlace ? more : rules, reason)
    }
    case 'set_mode':
      return set('mode', update.mode)
    case 'add_directories':
      return add('working_directories', update.directories)
    case 'remove_directories':
      return remove('working_directories', update.directories)
  }
}
