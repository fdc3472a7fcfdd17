import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createDraft } from '../../src/catalog/create-draft.js'
import type { ToolDraft } from '../../src/catalog/tool-draft.js'
import { isObject } from '../../src/platform/json/is-object.js'
import { diffTool } from '../../src/sources/changes/diff-tool.js'
import { asShown, digestChange, type PendingChange } from '../../src/sources/changes/source-changes.js'
import { changeSentence, toolChanged } from '../../src/sources/changes/tool-changed.js'
import type { KindEnvironment, OpenedKind, SourceKind } from '../../src/sources/kind.js'
import type { Source, SourceStorage } from '../../src/sources/source.js'

interface Notebook {
  notes: string
  token?: string
}

/** What a test can do to an open notebook. */
export interface NotebookControl {
  problem: Error | undefined
  closed: number
  change(): void
}

/** A kind of source: each notebook is a file of lines. Each line is a tool: its name, and what it says after a
 * blank. A tool whose name begins with `locked` needs the token. */
export function notebookKind() {
  const controls = new Map<string, NotebookControl>()
  const kind: SourceKind = {
    key: 'notebooks',
    noun: 'notebook',
    title: 'notebook',
    schema: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['notes'],
        properties: { notes: { type: 'string', minLength: 1 }, token: { type: 'string' } },
      },
    },
    entries: (settings) =>
      isObject(settings)
        ? Object.entries(settings).map(([name, entry]) => ({ name, files: [(entry as Notebook).notes] }))
        : [],
    namespaceOf: (name) => `notebook.${name}`,
    secretPaths: () => ['/home/ada/.notebook-tokens'],
    changes: {
      list: async (storage, entry) => changedIn(await readKept(storage, entry)),
      accept: (storage, entry, shown) =>
        updateKept(storage, entry, ({ listed, accepted }) => {
          const names = asShown(changedIn({ listed, accepted }), shown)?.map((tool) => tool.name)
          const pins = (names ?? []).map((each) => [each, listed[each]!])
          return { kept: { listed, accepted: { ...accepted, ...Object.fromEntries(pins) } }, result: names }
        }),
      safeName: (name) => name.replaceAll('!', '_'),
    },
    async open(settings, environment): Promise<OpenedKind> {
      const all = Object.entries(settings as Record<string, Notebook>).filter(
        ([name]) => environment.only?.includes(name) ?? true,
      )
      return {
        sources: all.map(([name, notebook]) => sourceOf(name, { notebook, environment, controls })),
        problems: all
          .filter(([, { token }]) => token === '')
          .map(([entry]) => ({
            file: '',
            entry,
            isLeftOut: false,
            message: `the token of ${entry} is empty`,
          })),
        secrets: all.flatMap(([, { token }]) => token || []),
      }
    },
  }
  return { kind, controls }
}

interface Parts {
  readonly notebook: Notebook
  readonly environment: KindEnvironment
  readonly controls: Map<string, NotebookControl>
}

function sourceOf(name: string, { notebook, environment, controls }: Parts): Source {
  const control: NotebookControl = { problem: undefined, closed: 0, change() {} }
  controls.set(name, control)
  const path = resolve(dirname(environment.file.configPath!), notebook.notes)
  let storage: SourceStorage | undefined
  return {
    name: `notebook:${name}`,
    entry: name,
    open: async (opened) => void (storage = opened),
    async list() {
      if (control.problem) throw control.problem
      const listed = parseNotes(readFileSync(path, 'utf8'))
      const kept = await updateKept(storage!, name, ({ accepted }) => {
        // New tools are accepted as they are.
        const next = { listed, accepted: { ...listed, ...accepted } }
        return { kept: next, result: next }
      })
      const changed = new Map(changedIn(kept).map((each) => [each.name, each]))
      return Object.entries(listed).map(([tool, says]) =>
        draftOf({ notebook: name, tool, says, changed: changed.get(tool) }, notebook),
      )
    },
    watch(changed) {
      control.change = changed
      return () => (control.change = () => {})
    },
    close: async () => void control.closed++,
  }
}

/** Names of tools with what they say. */
type Notes = Readonly<Record<string, string>>

function parseNotes(text: string): Notes {
  const lines = text.split('\n').filter((line) => line !== '')
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0]!, line]))
}

interface Kept {
  readonly listed: Notes
  readonly accepted: Notes
}

const KEPT_KIND = 'notebook_tools'
const NOTHING_KEPT: Kept = { listed: {}, accepted: {} }

async function readKept(storage: SourceStorage, entry: string): Promise<Kept> {
  return ((await storage.read(KEPT_KIND, entry))?.value as Kept | undefined) ?? NOTHING_KEPT
}

function updateKept<Result>(
  storage: SourceStorage,
  entry: string,
  change: (kept: Kept) => { kept: Kept; result: Result },
): Promise<Result> {
  return storage.update(KEPT_KIND, entry, async (found) => {
    const { kept, result } = change((found?.value as Kept | undefined) ?? NOTHING_KEPT)
    return { value: kept, result }
  })
}

function changedIn({ listed, accepted }: Kept): PendingChange[] {
  return Object.entries(listed)
    .filter(([name, says]) => accepted[name] !== says)
    .map(([name, says]) => ({
      name,
      digest: digestChange(accepted[name], says),
      diff: diffTool({ says: accepted[name] }, { says }, { members: { says: 'words' } }),
    }))
}

interface Tool {
  readonly notebook: string
  readonly tool: string
  readonly says: string
  readonly changed: PendingChange | undefined
}

function draftOf({ notebook, tool, says, changed }: Tool, { token }: Notebook): ToolDraft {
  const name = tool.replaceAll('!', '_')
  const why =
    changed &&
    changeSentence({
      noun: 'notebook',
      changed: changed.diff.changed,
      toolId: `notebook.${notebook}.${name}`,
    })
  return createDraft({
    namespace: `notebook.${notebook}`,
    name,
    description: `Says ${tool}.`,
    kind: 'custom',
    native: { protocol: 'notebook', definition: { line: says } },
    provider: { name: notebook, key: notebook },
    facts: { is_read_only: true, is_open_world: false, is_destructive: false },
    input: { modelSchema: { type: 'object', additionalProperties: false } },
    execution: { kind: 'embedded_runtime' },
    availability: {
      setupProblem: () => {
        if (why !== undefined) return { code: 'toolcrib.tool_changed' as const, message: why }
        return tool.startsWith('locked') && token === undefined
          ? `set the "token" of the notebook ${notebook}`
          : undefined
      },
    },
    execute: () => {
      if (why !== undefined) throw toolChanged(why)
      return { line: says, token: token ?? null }
    },
  })
}
