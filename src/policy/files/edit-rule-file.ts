import { extname } from 'node:path'
import type { Document } from 'yaml'
import { BLOCK_KEYS } from '../rules/read-rules.js'
import type { RuleUpdate } from '../rules/rule-update.js'
import { isRuleText } from './rule-files.js'

/** The text of a rule file after an update; comments and everything else in it stay unchanged. */
export async function editRuleText(before: string, path: string, update: RuleUpdate): Promise<string> {
  if (!isRuleText(path)) {
    throw new Error(`${path} is a program; change its rules there, or choose another destination.`)
  }
  const yaml = await import('yaml')
  const document = yaml.parseDocument(before)
  if (document.errors.length > 0) {
    throw new Error(`${path} cannot be read, so it is not changed: mend it first.`)
  }
  const block = blockIn(document)
  // A block that is there and holds nothing has no place for a list.
  if (block.length > 0 && !yaml.isMap(document.getIn(block))) document.setIn(block, document.createNode({}))
  apply(update, editorFor(document, { path, yaml, at: (key) => [...block, key] }))
  if (extname(path) === '.json') return `${JSON.stringify(document.toJS(), null, 2)}\n`
  // Formatting is kept: no line is wrapped, and brackets have blanks inside only if they had before.
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(before) })
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
  add(key: string, values: readonly string[], reason?: string): void
  remove(key: string, values: readonly string[]): void
  set(key: string, value: unknown): void
}

interface EditPosition {
  path: string
  yaml: typeof import('yaml')
  at(key: string): string[]
}

function editorFor(document: Document, { path, yaml, at }: EditPosition): Editor {
  const listAt = (key: string): unknown[] => {
    const node: unknown = document.getIn(at(key))
    return yaml.isSeq(node) ? (node.toJSON() as unknown[]) : []
  }
  return {
    add(key, values, reason) {
      const present = listAt(key)
      const missing = values.filter((value) => !present.includes(value))
      if (missing.length === 0) return
      const entries = missing.map((rule) => (reason === undefined ? rule : { rule, reason }))
      if (present.length === 0) document.setIn(at(key), document.createNode(entries))
      else for (const entry of entries) document.addIn(at(key), document.createNode(entry))
    },
    remove(key, values) {
      for (const value of values) {
        const found = listAt(key).flatMap((entry, index) => (textOf(entry) === value ? [index] : []))
        if (found.length === 0) throw new Error(`${path} holds no ${key} rule "${value}".`)
        // From the end, so that earlier positions stay valid.
        for (const index of found.toReversed()) document.deleteIn([...at(key), index])
      }
    },
    set: (key, value) => document.setIn(at(key), value),
  }
}

/** The text of an entry, in the same form as a parsed rule has it. */
function textOf(entry: unknown): unknown {
  const said: unknown =
    typeof entry === 'object' && entry !== null
      ? (Reflect.get(entry, 'rule') ?? Reflect.get(entry, 'tool'))
      : entry
  return typeof said === 'string' ? said.trim() : said
}

function apply(update: RuleUpdate, { add, remove, set }: Editor): void {
  switch (update.type) {
    case 'add_rules':
      return add(update.behavior, update.rules, update.reason)
    case 'remove_rules':
      return remove(update.behavior, update.rules)
    case 'replace_rules':
      for (const { behavior, rule } of update.replaces) remove(behavior, [rule])
      return add(update.behavior, update.rules, update.reason)
    case 'set_mode':
      return set('mode', update.mode)
    case 'add_directories':
      return add('working_directories', update.directories)
    case 'remove_directories':
      return remove('working_directories', update.directories)
  }
}
