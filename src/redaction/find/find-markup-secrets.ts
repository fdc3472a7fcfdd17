import { isSecretValue } from './judge-value.js'
import { ruleOf } from './read-assignment.js'
import { kindOfName, mayEndName, type NameKind } from './secret-names.js'
import type { NoteSecret } from '../secret-span.js'

const NAME = /[\w.:-]{2,64}(?=\s*>)/y
const LONGEST_VALUE = 4096
const LONGEST_TAG = 256
const CDATA = '<![CDATA['
const CDATA_END = ']]>'

/** Tags that have no meaning themselves: their name is in an attribute or in the tag before them. */
const PLAIN_TAG =
  /^(?:property|entry|string|value|item|param|setting|option|prop|data|init-param|param-value|dd|td|code|var|env-entry-value|span|kbd|pre)$/i
const NAMED_BY_ATTRIBUTE = /<[\w:-]+[^<>]{0,160}?\s(?:name|key|id)\s*=\s*["']([\w.-]{2,64})["'][^<>]{0,64}>$/i
const NAMED_BEFORE =
  /<(?:key|name|param-name|env-entry-name|dt|th|td|strong|b|label)(?:\s[^<>]{0,80})?>\s*([\w. -]{2,64}?)\s*:?\s*<\/[\w-]+>:?\s*(?:<[\w-]+(?:\s[^<>]{0,80})?>\s*){1,2}$/i
/** `<Setting Name="Token"><Value>`: the name is an attribute of the surrounding element. */
const NAMED_AROUND =
  /<[\w:-]+[^<>]{0,160}?\s(?:name|key|id)\s*=\s*["']([\w.-]{2,64})["'][^<>]{0,64}>\s*<value(?:\s[^<>]{0,80})?>$/i

/** `<password>…</password>`: found by the closing tag. */
export function findMarkupSecrets(text: string, note: NoteSecret): void {
  for (let at = text.indexOf('</'); at !== -1; at = text.indexOf('</', at + 2)) {
    const before = text.charCodeAt(at - 1)
    if (before === 62 && !text.endsWith(CDATA_END, at)) continue
    NAME.lastIndex = at + 2
    if (!NAME.test(text)) continue
    readElement(text, at, NAME.lastIndex, note)
  }
}

function readElement(text: string, close: number, nameEnd: number, note: NoteSecret): void {
  const isCdata = text.endsWith(CDATA_END, close)
  const end = isCdata ? close - CDATA_END.length : close
  const start = isCdata ? text.lastIndexOf(CDATA, end) + CDATA.length : text.lastIndexOf('>', end - 1) + 1
  if (start === 0 || start > end || end - start > LONGEST_VALUE) return
  const kind = kindOfElement(text, close + 2, nameEnd, isCdata ? start - CDATA.length : start)
  if (kind === undefined) return
  const [from, to] = withoutSpace(text, start, end)
  const value = text.slice(from, to)
  if (!value.includes('\n') && isSecretValue(value, kind, 'quoted')) note(from, to, ruleOf(kind))
}

function withoutSpace(text: string, start: number, end: number): [number, number] {
  let [from, to] = [start, end]
  while (from < to && text.charCodeAt(from) <= 32) from++
  while (to > from && text.charCodeAt(to - 1) <= 32) to--
  return [from, to]
}

function kindOfElement(text: string, from: number, to: number, openEnd: number): NameKind | undefined {
  const tag = text.slice(from, to)
  if (PLAIN_TAG.test(tag)) {
    const opening = text.slice(Math.max(0, openEnd - LONGEST_TAG), openEnd)
    const name = (NAMED_AROUND.exec(opening) ??
      NAMED_BY_ATTRIBUTE.exec(opening) ??
      NAMED_BEFORE.exec(opening))?.[1]
    return name === undefined ? undefined : kindOfName(name)
  }
  if (!mayEndName(text.charCodeAt(to - 3), text.charCodeAt(to - 2), text.charCodeAt(to - 1))) return undefined
  return kindOfName(tag)
}
