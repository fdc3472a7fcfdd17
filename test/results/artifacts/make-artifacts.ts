import { fileBlobs, memoryStore, defineTool, sqliteStore, toolOutput } from 'toolcrib'
import type { Crib, CribOptions, NewArtifact, ToolOptions, ToolResult } from 'toolcrib'
import { join } from 'node:path'
import { describe } from 'vitest'
import { openCrib } from '../../scenarios/open-crib.js'
import { temporaryFolder } from '../../temporary-folder.js'

export const allow = { decider: () => ({ behavior: 'allow' as const, message: 'for this test' }) }

type More = Partial<ToolOptions<never, never>>

/** A tool that returns these artifacts. */
export function maker(artifacts: () => readonly NewArtifact[], more: More = {}) {
  return defineTool({
    name: 'make',
    description: 'Makes something.',
    isReadOnly: true,
    isOpenWorld: false,
    execute: () => toolOutput({ artifacts: artifacts() }),
    ...more,
  } as ToolOptions<never, never>)
}

export interface Made {
  crib: Crib
  result: ToolResult
}

/** A crib with that tool, and the result of calling it. */
export async function make(
  artifacts: () => readonly NewArtifact[],
  { options = {}, more = {} }: { options?: CribOptions; more?: More } = {},
): Promise<Made> {
  const crib = await openCrib({ ...allow, ...options, tools: [maker(artifacts, more)] })
  const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'make' })
  return { crib, result }
}

/** Runs the same tests in memory, and on a database with a folder of files. */
export function onBothBlobStores(title: string, tests: (places: () => CribOptions) => void): void {
  const kinds: [string, () => CribOptions][] = [
    ['memory', () => ({ store: memoryStore() })],
    [
      'sqlite and files',
      () => {
        const folder = temporaryFolder()
        return {
          store: sqliteStore({ path: join(folder, 'crib.db') }),
          blobs: fileBlobs({ path: join(folder, 'blobs') }),
        }
      },
    ],
  ]
  describe.each(kinds)(`${title} (%s)`, (_kind, places) => tests(places))
}

/** The whole content of a ref. */
export async function wholeOf(crib: Crib, ref: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let request: Parameters<Crib['read']>[1] = { by: 'bytes' }
  while (request) {
    const page = await crib.read(ref, request, { maxChars: 200_000 })
    if (page.kind === 'binary') parts.push(Buffer.from(page.base64, 'base64'))
    else if ('text' in page) parts.push(Buffer.from(page.text))
    request = page.kind === 'problem' ? undefined : page.next
  }
  return Buffer.concat(parts)
}
