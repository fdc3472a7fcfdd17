import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createDraft } from '../../src/catalog/create-draft.js'
import type { ToolDraft } from '../../src/catalog/tool-draft.js'
import { isObject } from '../../src/platform/json/is-object.js'
import type { KindEnvironment, OpenedKind, SourceKind } from '../../src/sources/kind.js'
import type { Source } from '../../src/sources/source.js'

interface Notebook {
  notes: string
  token?: string
}

/** What a test does to a notebook that is open. */
export interface NotebookControl {
  problem: Error | undefined
  closed: number
  change(): void
}

/** A kind of source: each notebook is a file of lines, and each line a tool that answers with it. */
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
  return {
    name: `notebook:${name}`,
    async list() {
      if (control.problem) throw control.problem
      const lines = readFileSync(path, 'utf8').split('\n')
      return lines.filter((line) => line !== '').map((line) => draftOf(name, line, notebook))
    },
    watch(changed) {
      control.change = changed
      return () => (control.change = () => {})
    },
    close: async () => void control.closed++,
  }
}

function draftOf(notebook: string, line: string, { token }: Notebook): ToolDraft {
  return createDraft({
    namespace: `notebook.${notebook}`,
    name: line,
    description: `Says ${line}.`,
    kind: 'custom',
    native: { protocol: 'notebook', definition: { line } },
    provider: { name: notebook, key: notebook },
    facts: { is_read_only: true, is_open_world: false, is_destructive: false },
    input: { modelSchema: { type: 'object', additionalProperties: false } },
    execution: { kind: 'embedded_runtime' },
    execute: () => ({ line, token: token ?? null }),
  })
}
