import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { nearestWord } from '../../../../platform/config/nearest-word.js'
import { piiClasses, type PiiClass } from '../../../../platform/config/pii-classes.js'
import { createRedactor, type Redactor } from '../../../../redaction/redactor.js'
import { secretsOfEnvironment } from '../../../../redaction/secrets-of-environment.js'
import type { ExitCode, Given } from '../../program/command.js'
import { decodeExactly, encodeExactly, unfinishedBytes } from '../../input/exact-text.js'
import { maskJsonText } from '../../input/mask-json-text.js'
import { textBytesOf, withoutByteOrderMark } from '../../input/text-bytes-of.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

export async function run({ arguments: files, options }: Given, terminal: Terminal): Promise<ExitCode> {
  const pii = readClasses(options['pii'])
  for (const file of files) if (file !== STDIN) await checkFile(file)
  const counts = new Map<string, number>()
  const job: Job = {
    redactor: createRedactor({ patterns: true, pii }),
    also: options['env'] === true ? secretsOfEnvironment(process.env) : [],
    tally: { add: (rule) => void counts.set(rule, (counts.get(rule) ?? 0) + 1) },
    terminal,
  }
  const names = files.length === 0 ? [STDIN] : files
  if (names.includes(STDIN) && process.stdin.isTTY) terminal.say('Type or paste the text; Ctrl-D ends.')
  let isGood = true
  for (const name of names) {
    const source = sourceOf(name)
    if (options['jsonl'] === true) isGood = (await redactLines(source, job)) && isGood
    else await redactBytes(source, job)
  }
  if (options['summary'] === true) saySummary(counts, options.json === true, terminal)
  return isGood ? 0 : 1
}

const STDIN = '-'

function sourceOf(name: string): AsyncIterable<Buffer> {
  return name === STDIN ? textBytesOf(process.stdin, 'The input') : textBytesOf(createReadStream(name), name)
}

interface Job {
  redactor: Redactor
  also: readonly string[]
  tally: { add(rule: string): void }
  terminal: Terminal
}

function readClasses(given: unknown): readonly PiiClass[] {
  if (typeof given !== 'string') return []
  if (given === 'all') return piiClasses
  return given.split(',').map((word) => {
    const name = word.trim()
    const known = piiClasses.find((each) => each === name)
    if (known !== undefined) return known
    const near = nearestWord(name, piiClasses)
    const hint = near ? `did you mean "${near}"?` : `there are ${piiClasses.join(', ')}, or all.`
    throw usageProblem(`--pii does not know "${name}"; ${hint}`)
  })
}

/** Before anything is printed: a partial output is worse than none. */
async function checkFile(file: string): Promise<void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (/\s|=/.test(file) || error.code === 'ENAMETOOLONG')
      throw usageProblem('redact takes files; to redact a text, pipe it: echo … | toolcrib redact.')
    const reason = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw usageProblem(`${file} cannot be read: ${reason}.`)
  })
  if (found.isDirectory()) throw usageProblem(`${file} cannot be read: it is a folder; name a file in it.`)
}

/** Chunk by chunk: memory holds at most one part of the text. */
async function redactBytes(
  source: AsyncIterable<unknown>,
  { redactor, also, tally, terminal }: Job,
): Promise<void> {
  const stream = redactor.stream(also, tally)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    const bytes = Buffer.concat([rest, chunk as Buffer])
    const ready = bytes.length - unfinishedBytes(bytes)
    rest = bytes.subarray(ready)
    await write(encodeExactly(stream.push(decodeExactly(bytes.subarray(0, ready)))), terminal)
    if (terminal.unread.aborted) return
  }
  await write(encodeExactly(stream.push(decodeExactly(rest)) + stream.end()), terminal)
}

async function redactLines(source: AsyncIterable<unknown>, job: Job): Promise<boolean> {
  const { redactor, also, tally, terminal } = job
  let isGood = true
  let number = 0
  for await (const line of linesOf(source)) {
    number++
    if (terminal.unread.aborted) break
    const json = number === 1 ? withoutByteOrderMark(line) : line
    if (json.trim() === '') continue
    const masked = maskJsonText(json, (text) => redactor.text(text, also, tally))
    if (typeof masked === 'string') await write(encodeExactly(`${masked}\n`), terminal)
    else {
      isGood = false
      terminal.say(`Line ${number} ${masked.problem}; it must be an object like {"text": "…"}.`)
    }
  }
  return isGood
}

async function* linesOf(source: AsyncIterable<unknown>): AsyncGenerator<string> {
  let held: Buffer[] = []
  for await (const chunk of source) {
    const bytes = chunk as Buffer
    let from = 0
    for (let newline = bytes.indexOf(10); newline !== -1; newline = bytes.indexOf(10, from)) {
      yield decodeExactly(Buffer.concat([...held, bytes.subarray(from, newline)]))
      held = []
      from = newline + 1
    }
    if (from < bytes.length) held.push(bytes.subarray(from))
  }
  if (held.length > 0) yield decodeExactly(Buffer.concat(held))
}

/** Waits while the reader is slow, but not for a reader that has closed the pipe. */
async function write(bytes: Buffer, { unread }: Terminal): Promise<void> {
  if (bytes.length === 0 || unread.aborted || process.stdout.write(bytes)) return
  await once(process.stdout, 'drain', { signal: unread }).catch(() => {})
}

function saySummary(counts: ReadonlyMap<string, number>, asJson: boolean, terminal: Terminal): void {
  const rules = [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
  const total = rules.reduce((sum, [, count]) => sum + count, 0)
  if (asJson) terminal.say(JSON.stringify({ total, rules: Object.fromEntries(rules) }))
  else if (total === 0) terminal.say('Nothing was masked.')
  else terminal.say(`Masked ${total}: ${rules.map(([rule, count]) => `${count} ${rule}`).join(', ')}.`)
}
