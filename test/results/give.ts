import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import {
  defineTool,
  type CallStory,
  type Crib,
  type CribOptions,
  type HookAnswer,
  type HookDefinition,
  type Surface,
  type SurfaceRequest,
  type ToolResult,
} from 'toolcrib'
import { schemas, toEmitSchema, type CoreObject } from '../../src/contract/index.js'
import type { BlobStat, BlobStore } from 'toolcrib/blobs'
import { collect, openCrib } from '../scenarios/open-crib.js'

const ajv = new Ajv2020({ strict: false, allErrors: true })

/** Validates a record against the schema of what we emit. */
export function expectSound(object: CoreObject, value: unknown): void {
  const validate = ajv.getSchema(schemas[object].$id) ?? ajv.compile(toEmitSchema(schemas[object]))
  validate(value)
  expect(validate.errors ?? [], `${object} ${JSON.stringify(value)?.slice(0, 500)}`).toEqual([])
}

export interface Given {
  crib: Crib
  surface: Surface
  id: string
  ref: string
  result: ToolResult
  story: CallStory
  /** Everything that the log holds about the call, as one text. */
  logged: string
}

export interface GiveOptions extends CribOptions {
  tool?: object
  on?: Partial<SurfaceRequest>
  input?: unknown
}

/** A tool that returns this. */
export const giver = (execute: () => unknown, tool: object = {}) =>
  defineTool({
    name: 'give',
    description: 'Gives.',
    isReadOnly: true,
    isOpenWorld: false,
    execute,
    ...tool,
  })

/** One call of a tool that returns this. Its records are validated against their schemas. */
export async function give(execute: () => unknown, options: GiveOptions = {}): Promise<Given> {
  const { tool = {}, on = {}, tools = [], input, ...more } = options
  const crib = await openCrib({ ...more, tools: [giver(execute, tool), ...tools] })
  const surface = await crib.surface({ scope: 'turn', ...on })
  return { crib, surface, ...(await callAgain(crib, surface, { input })) }
}

export async function callAgain(
  crib: Crib,
  surface: Surface,
  { name = 'give', input }: { name?: string; input?: unknown } = {},
): Promise<Omit<Given, 'crib' | 'surface'>> {
  const call = crib.call(surface, { name, input })
  const result = await call
  const story = (await crib.story(call.invocationId))!
  expectSound('tool_result', result)
  expectSound('tool_result', story.result)
  if (story.persistence) expectSound('tool_result_persistence', story.persistence)
  const logged = JSON.stringify([story, await eventsOf(crib, call.invocationId)])
  return {
    id: call.invocationId,
    ref: `toolcrib://invocations/${call.invocationId}/output`,
    result,
    story,
    logged,
  }
}

export async function eventsOf(
  crib: Crib,
  id: string,
): Promise<{ event_type: string; data?: Record<string, unknown> }[]> {
  const found = []
  for await (const event of crib.events())
    if (event.invocation_id === id)
      found.push(event as { event_type: string; data?: Record<string, unknown> })
  return found
}

/** The whole content of a ref, read in pages. */
export async function readAll(crib: Crib, ref: string, actor?: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let request: Parameters<Crib['read']>[1] = { by: 'bytes' }
  while (request) {
    const page = await crib.read(ref, request, { maxChars: 200_000, ...(actor !== undefined && { actor }) })
    if (page.kind === 'binary') parts.push(Buffer.from(page.base64, 'base64'))
    else if ('text' in page) parts.push(Buffer.from(page.text))
    else throw new Error(`a page of the kind ${page.kind}`)
    request = page.next
  }
  return Buffer.concat(parts)
}

export const answering =
  (answer: unknown): HookDefinition['run'] =>
  () =>
    answer as HookAnswer

/** Numbered lines: no two parts of such a text are equal. */
export function numbered(lines: number): string {
  return Array.from({ length: lines }, (_, index) => `line ${index + 1} of many`).join('\n')
}

/** All blobs of a store. Opens the store if that was not done yet: then nothing was ever written. */
export async function keptIn(blobs: BlobStore): Promise<BlobStat[]> {
  try {
    return await collect(blobs.list())
  } catch (error) {
    if (/not open yet/.test((error as Error).message)) return []
    throw error
  }
}
