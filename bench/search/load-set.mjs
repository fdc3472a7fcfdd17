import { readFileSync } from 'node:fs'
import { toDraft } from './to-draft.mjs'

/** What is wrong with a file, in a sentence for its author. */
export class BadInput extends Error {}

/** Tools and questions of two JSONL files, and what of them does not match. */
export function loadSet({ toolsFile, queriesFile }) {
  const drafts = new Map()
  const repeatedIds = []
  for (const { value, where } of linesOf(toolsFile)) {
    const { id, name } = value
    if (!isText(id) || !isText(name))
      throw new BadInput(`${where}: a tool needs "id" and "name", each a non-empty text.`)
    if (drafts.has(id)) repeatedIds.push(id)
    else drafts.set(id, draftOf(value, where))
  }
  if (drafts.size === 0)
    throw new BadInput(`${toolsFile} holds no tools; write one {"id", "name", "description"} per line.`)
  const queries = linesOf(queriesFile).map(({ value: { query, gold }, where }) => {
    if (!isText(query)) throw new BadInput(`${where}: a query needs "query", a non-empty text.`)
    if (!Array.isArray(gold) || !gold.every(isText))
      throw new BadInput(
        `${where}: a query needs "gold", a list of tool ids; an empty one where no tool answers it.`,
      )
    return { query, gold: [...new Set(gold)] }
  })
  if (!queries.some(({ gold }) => gold.length > 0))
    throw new BadInput(
      `${queriesFile} holds no queries with gold; write one {"query", "gold": [ids]} per line.`,
    )
  const unknownGold = [...new Set(queries.flatMap(({ gold }) => gold.filter((id) => !drafts.has(id))))]
  return { drafts: [...drafts.values()], queries, repeatedIds, unknownGold }
}

const isText = (value) => typeof value === 'string' && value.trim() !== ''

function draftOf(line, where) {
  try {
    return toDraft(line)
  } catch (error) {
    throw new BadInput(`${where}: ${error.message}`)
  }
}

function linesOf(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new BadInput(`${file} cannot be read (${error.code}); give the path of a JSONL file.`)
  }
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      const where = `${file}, line ${index + 1}`
      return [{ value: parseObject(line, where), where }]
    })
}

function parseObject(line, where) {
  let value
  try {
    value = JSON.parse(line)
  } catch {
    throw new BadInput(`${where}: this is no JSON; write one object per line.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadInput(`${where}: this is no JSON object; write one object per line.`)
  return value
}
