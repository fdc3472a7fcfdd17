import type { Alias, Document, Node, Pair, ParsedNode, Scalar } from 'yaml'
import { defineKey } from '../../../platform/json/define-key.js'
import type { FileMember, FileNode, Span } from './file-node.js'
import type { Report } from './report.js'
import type { Yaml } from '../../../platform/config/yaml-error-start.js'
import { findTemplate, reportSyntax } from './yaml-problems.js'

const MAX_FRONT_MATTER = 131_072
const MAX_LEVELS = 100
/** Aliases multiply: a file of 300 bytes can mean a billion values. */
const MAX_NODES = 10_000

export interface FrontMatter {
  /** The fields of the file; an object. */
  readonly root: FileNode
  /** The opening line, where problems of the whole front matter are shown. */
  readonly opening: Span
}

/** Parses the front matter of a file; undefined where it cannot be read, and the report says why. */
export function parseFrontMatter(report: Report, yaml: Yaml): FrontMatter | undefined {
  const slice = report.hasErrors() ? undefined : findFrontMatter(report)
  if (!slice) return undefined
  const { text } = report.source
  const document = yaml.parseDocument<ParsedNode>(text.slice(slice.start, slice.end), {
    prettyErrors: false,
    // Its own check compares every key with every other.
    uniqueKeys: false,
    strict: true,
  })
  if (reportSyntax(document, { yaml, report, base: slice.start })) return undefined
  const root = createReader({ yaml, document, report, base: slice.start }).read()
  if (!root) return undefined
  if (!root.members) {
    report.add(
      'aml/front-matter-object',
      slice.opening,
      'The front matter must have fields, such as tool_id.',
    )
    return undefined
  }
  return { root, opening: slice.opening }
}

interface Slice extends Span {
  readonly opening: Span
}

/** The text between the two `---` lines. */
function findFrontMatter(report: Report): Slice | undefined {
  const { text } = report.source
  const from = text.startsWith('\uFEFF') ? 1 : 0
  const opening = /^---[ \t]*(?:\r?\n|$)/.exec(text.slice(from, from + 1_000))
  if (!opening) {
    reportNoOpening(report, from)
    return undefined
  }
  const start = from + opening[0].length
  const line = { start: from, end: from + 3 }
  const closing = /^---[ \t]*\r?$/gm
  closing.lastIndex = start
  const end = closing.exec(text)?.index
  if (end === undefined) {
    report.add('aml/unclosed-front-matter', line, 'The front matter needs a closing line "---".')
    return undefined
  }
  if (end - start > MAX_FRONT_MATTER) {
    report.add('aml/front-matter-too-large', line, 'The front matter must be smaller than 128 KB.')
    return undefined
  }
  // oxlint-disable-next-line no-control-regex -- YAML allows no other control characters.
  const control = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/.exec(text.slice(start, end))
  if (control) {
    const at = start + control.index
    report.add('aml/control-character', { start: at, end: at + 1 }, 'Remove this control character.')
    return undefined
  }
  return { start, end, opening: line }
}

function reportNoOpening(report: Report, from: number): void {
  const { text } = report.source
  const blank = /^\s*/.exec(text.slice(from))![0].length
  const fix =
    blank > 0 && text.startsWith('---', from + blank)
      ? { title: 'Remove the text before "---"', start: from, end: from + blank, text: '' }
      : undefined
  report.add(
    'aml/missing-front-matter',
    { start: from, end: from },
    'The first line must be "---", followed by the fields of the file.',
    fix,
  )
}

interface Reading {
  readonly yaml: Yaml
  readonly document: Document.Parsed
  readonly report: Report
  /** The position of the front matter in the file. */
  readonly base: number
}

/** Reads the nodes of the library into nodes of ours: plain values, each with its position. */
function createReader({ yaml, document, report, base }: Reading): { read(): FileNode | undefined } {
  const anchors = new Map<string, FileNode | undefined>()
  let isRefused = false

  const spanOf = (node: unknown): Span => {
    const range = (node as Node | null | undefined)?.range
    return { start: base + (range?.[0] ?? 0), end: base + (range?.[1] ?? range?.[0] ?? 0) }
  }
  const refuse: Report['add'] = (code, at, message) => {
    isRefused = true
    report.add(code, at, message)
  }

  const readScalar = (scalar: Scalar): FileNode => {
    const { value, type } = scalar
    const style = type === 'PLAIN' ? 'plain' : type?.startsWith('BLOCK') ? 'block' : 'quoted'
    if (typeof value === 'number' && !Number.isFinite(value))
      refuse('aml/yaml-number', spanOf(scalar), 'This number cannot be written as JSON; use a finite number.')
    return { ...spanOf(scalar), value, style, size: 1 }
  }

  const readAlias = (alias: Alias): FileNode | undefined => {
    const target = anchors.get(alias.source)
    if (target) return { ...target, ...spanOf(alias), style: 'flow' }
    const why = anchors.has(alias.source) ? 'refers to itself' : 'has no anchor before it'
    refuse('aml/yaml-alias', spanOf(alias), `The alias *${alias.source} ${why}; write the value out.`)
    return undefined
  }

  const readKey = (pair: Pair): { name: string; key: Span } | undefined => {
    const { key } = pair
    const span = spanOf(key)
    if (!yaml.isScalar(key) || key.value === null || key.anchor !== undefined) {
      const template = findTemplate(report.source.text, span.start)
      if (template) refuse('aml/yaml-template', template, template.message)
      else refuse('aml/yaml-key', span, 'A key must be a word, without an anchor.')
      return undefined
    }
    const name = String(key.source ?? key.value)
    if (name === '<<') refuse('aml/merge-key', span, 'YAML 1.2 has no merge keys; write the fields out.')
    return { name, key: span }
  }

  const readMap = (
    items: readonly Pair[],
    span: Span & { style: 'flow' | 'block' },
    level: number,
  ): FileNode => {
    const members = new Map<string, FileMember>()
    const value: Record<string, unknown> = {}
    let size = 1
    for (const pair of items) {
      if (isRefused) break
      const named = readKey(pair)
      if (!named) break
      const node = read(pair.value, level + 1) ?? {
        ...after(named.key),
        value: null,
        style: 'plain',
        size: 1,
      }
      size = grow(size, node)
      const before = members.get(named.name)
      if (before)
        report.add(
          'aml/duplicate-key',
          named.key,
          `The key "${named.name}" is there twice; remove one of them.`,
        )
      else {
        members.set(named.name, { key: named.key, node })
        defineKey(value, named.name, node.value)
      }
    }
    return { ...span, value, members, size }
  }

  const readList = (
    list: readonly unknown[],
    span: Span & { style: 'flow' | 'block' },
    level: number,
  ): FileNode => {
    const items: FileNode[] = []
    let size = 1
    for (const each of list) {
      if (isRefused) break
      const item = read(each, level + 1) ?? { ...span, end: span.start + 1, value: null, size: 1 }
      items.push(item)
      size = grow(size, item)
    }
    return { ...span, value: items.map((item) => item.value), items, size }
  }

  const grow = (size: number, node: FileNode): number => {
    if (size + node.size > MAX_NODES && !isRefused)
      refuse(
        'aml/yaml-too-many-values',
        node,
        `The front matter has more than ${MAX_NODES} values; shorten it.`,
      )
    return size + node.size
  }

  const read = (node: unknown, level: number): FileNode | undefined => {
    if (isRefused) return undefined
    if (yaml.isAlias(node)) return readAlias(node)
    if (!yaml.isScalar(node) && !yaml.isCollection(node)) return undefined
    if (level > MAX_LEVELS) {
      refuse('aml/yaml-too-deep', spanOf(node), `Values are nested more than ${MAX_LEVELS} levels deep.`)
      return undefined
    }
    if (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:'))
      refuse('aml/yaml-tag', spanOf(node), `Remove the tag ${node.tag}; it has no meaning here.`)
    if (node.anchor !== undefined) anchors.set(node.anchor, undefined)
    const made = readPlain(node, level)
    if (node.anchor !== undefined) anchors.set(node.anchor, made)
    return made
  }

  const readPlain = (node: Scalar | Node, level: number): FileNode | undefined => {
    if (yaml.isScalar(node)) return readScalar(node)
    const style = (node as { flow?: boolean }).flow === true ? 'flow' : 'block'
    if (yaml.isMap(node)) return readMap(node.items, { ...spanOf(node), style }, level)
    if (yaml.isSeq(node)) return readList(node.items, { ...spanOf(node), style }, level)
    return undefined
  }

  return {
    read() {
      const root = read(document.contents, 0)
      return isRefused
        ? undefined
        : (root ?? { start: base, end: base, value: null, style: 'plain', size: 1 })
    },
  }
}

const after = ({ end }: Span): Span => ({ start: end, end })
