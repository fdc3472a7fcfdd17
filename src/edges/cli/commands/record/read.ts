import { closeSync, openSync, writeSync } from 'node:fs'
import { ownCommand, sameCommand } from '../../../../platform/text/own-command.js'
import type { ToolResult } from '../../../../contract/objects/tool-result.js'
import { isKeptRef } from '../../../../contract/kept-ref.js'
import type { ReadRequest } from '../../../../results/read-back/page.js'
import { renderPage } from '../../../../results/read-back/render-page.js'
import { toReadRequest, type ReadArguments } from '../../../../results/read-back/to-read-request.js'
import { RefError } from '../../../../pipeline/refs/ref-reader.js'
import type { Crib } from '../../../../crib/crib.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { findArtifact } from '../../record/find-artifact.js'
import { findCall } from '../../calls/find-call.js'
import { readPages } from '../../record/read-pages.js'
import { openRecord } from '../../record/open-record.js'
import { oneLine, printable } from '../../../../platform/text/printable.js'
import { contentText, mediaBytes, mediaOf, type Media } from '../../terminal/content-text.js'
import { saveHint, saveHints } from '../../calls/save-hint.js'
import { isNotStored, describePersistence } from '../../record/describe-persistence.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const request = requestOf(given, options)
  const record = await openRecord(options)
  if ('missing' in record) throw usageProblem(`Nothing was recorded yet in ${record.missing}.`)
  const { crib, tenant } = record
  try {
    const meant = await findMeant(crib, tenant, given)
    if ('notKept' in meant) {
      terminal.explain(printable(meant.notKept))
      return 1
    }
    const { ref, inline } = meant
    const actor = options['actor'] as string | undefined
    const who = { tenant, ...(actor !== undefined && { actor }) }
    const { out } = options
    if (options['all'] === true || typeof out === 'string') {
      const sink = typeof out === 'string' ? newFile(out) : STDOUT
      try {
        if (inline) await sink.write(inline)
        else await writeAll(crib, { ref, who }, { terminal, sink })
      } finally {
        sink.close()
      }
      if (typeof out === 'string') terminal.explain(`Saved in ${printable(out)}.`)
      return 0
    }
    if (inline && meant.media && !TEXTUAL.test(meant.media.type ?? '') && isPlainRead(options)) {
      terminal.printText(printable(saveHint({ ...meant.media, stem: meant.media.kind }, given)))
      return 0
    }
    if (meant.mixed && isPlainRead(options)) {
      terminal.printRaw(contentText({ ...meant.mixed, model_facing_content: meant.mixed.content ?? [] }))
      for (const hint of saveHints(meant.mixed)) terminal.explain(printable(hint))
      return 0
    }
    const page = await readOrStop(() => crib.read(ref, request, who))
    if (options.json) terminal.printJson(page, 2)
    else if (page.kind === 'problem') throw usageProblem(page.problem)
    else if (page.kind === 'binary' && isPlainRead(options))
      terminal.printText(
        printable(
          saveHint(
            { type: page.mediaType, bytes: page.sizeBytes, stem: meant.media?.kind ?? 'output' },
            given,
          ),
        ),
      )
    else terminal.print(renderPage(page, howToGoOn))
    return 0
  } finally {
    await crib.close()
  }
}

/** The ref to read, and its bytes if they are in the record; or that there is only a preview. */
type Meant =
  | { ref: string; inline?: Buffer; media?: Media; mixed?: undefined }
  /** Texts and images in one result. */
  | { ref: string; inline?: undefined; media?: undefined; mixed: ToolResult }
  | { notKept: string }

const OUTPUT = /^toolcrib:\/\/invocations\/([^/]+)\/output$/

/** The output of a call or, if that is only an image or a file, its bytes. */
async function findMeant(crib: Crib, tenant: string, given: string): Promise<Meant> {
  const output = OUTPUT.exec(given)?.[1]
  if (isKeptRef(given) && output === undefined) return { ref: given }
  if (given.startsWith('toolcrib://') && output === undefined)
    throw usageProblem(`"${given}" is no ref; one looks like toolcrib://invocations/inv_…/output.`)
  if (given.startsWith('art_')) {
    const { artifact_id: artifact } = await findArtifact(crib, tenant, given)
    return { ref: `toolcrib://artifacts/${artifact}/latest` }
  }
  const id = output ?? (await findCall(crib, tenant, given))
  const { result, persistence } = (await crib.story(id, { tenant })) ?? {}
  if (persistence && isNotStored(persistence) && result?.persisted_payload_ref === undefined)
    return { notKept: notKept(id, describePersistence(persistence), result?.content?.length) }
  const ref = `toolcrib://invocations/${id}/output`
  const [block, ...others] = (output === undefined && result?.content) || []
  if (block && others.length > 0 && [block, ...others].some(mediaOf) && !result?.persisted_payload_ref)
    return { ref, mixed: result! }
  if (!block || others.length > 0) return { ref }
  const media = mediaOf(block)
  const known = media ? { media } : {}
  if (block.ref?.uri !== undefined) return { ref: block.ref.uri, ...known }
  const inline = mediaBytes(block)
  return inline ? { ref, inline, ...known } : { ref }
}

function notKept(id: string, why: string, blocks = 0): string {
  const left =
    blocks > 0 ? `Only a preview is left; "${ownCommand(`show ${id}`)}" has it` : 'Nothing of it is left'
  return `${left}: ${oneLine(why)}.`
}

/** The refusal of a ref as a usage problem. */
async function readOrStop<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RefError) throw usageProblem(error.message)
    throw error
  }
}

/** Stops when the reader closes the pipe. */
async function writeAll(
  crib: Crib,
  { ref, who }: { ref: string; who: { tenant: string; actor?: string } },
  { terminal: { unread }, sink }: { terminal: Terminal; sink: Sink },
): Promise<void> {
  const pages = readPages(crib, ref, who)
  while (!unread.aborted) {
    const page = await readOrStop(() => pages.next())
    if (page.done) return
    await sink.write(page.value)
  }
}

interface Sink {
  write(bytes: Buffer | string): Promise<void>
  close(): void
}

const STDOUT: Sink = {
  // The terminal reports errors of stdout.
  write: (bytes) => new Promise((resolve) => process.stdout.write(bytes, () => resolve())),
  close() {},
}

/** An existing file is not overwritten. */
function newFile(path: string): Sink {
  let file: number
  try {
    file = openSync(path, 'wx')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw usageProblem(`${path} is there already; choose another name for --out.`)
  }
  return {
    async write(bytes) {
      const all = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
      for (let written = 0; written < all.length;) written += writeSync(file, all, written)
    },
    close: () => closeSync(file),
  }
}

const TEXTUAL = /^text\/|\b(?:json|xml|yaml|javascript)$/

/** No part of it was requested. */
function isPlainRead(options: GivenOptions): boolean {
  return !options.json && [...NUMBERS, 'pointer', 'search'].every((name) => options[name] === undefined)
}

/** The same command from the next position; the rest may be as long as a page. */
const further = (from: string): string => sameCommand(from, { without: ['--lines', '--length'] })

function howToGoOn(next: ReadRequest): string {
  switch (next.by) {
    case 'lines':
      return `read on with ${further(`--line ${next.from}`)}`
    case 'bytes':
      return `read on with ${further(`--offset ${next.offset}`)}`
    case 'pointer':
      return `read on with ${further(`--offset ${next.from}`)}`
    case 'search':
      return `go on with ${further(`--after ${next.after}`)}`
  }
}

const NUMBERS = ['line', 'lines', 'offset', 'length', 'context', 'limit', 'after'] as const

function requestOf(ref: string, options: GivenOptions): ReadRequest {
  const args: Record<string, unknown> = { ref }
  for (const name of NUMBERS) {
    const given = options[name]
    if (given === undefined) continue
    const number = Number(given)
    if (!Number.isInteger(number))
      throw usageProblem(`--${name} must be a whole number, not "${String(given)}".`)
    args[name] = number
  }
  for (const name of ['pointer', 'search', 'regex'] as const)
    if (options[name] !== undefined) args[name] = options[name]
  if (options['ignoreCase'] === true) args['ignore_case'] = true
  const request = toReadRequest(args as ReadArguments, (name) => `--${name.replaceAll('_', '-')}`)
  if ('problem' in request) throw usageProblem(request.problem)
  return request
}
