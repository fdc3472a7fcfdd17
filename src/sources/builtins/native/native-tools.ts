import { createDraft } from '../../../catalog/create-draft.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type {
  DraftInput,
  FactRules,
  PermissionFacts,
  ToolDraft,
  ValueVerdict,
} from '../../../catalog/tool-draft.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import type { OpenBuiltin } from '../builtin.js'
import { whyNotWebUrl } from '../web-url.js'
import { desktopCommand, type Desktop, type DesktopAction } from './desktop-command.js'
import { runDesktopCommand } from './run-desktop-command.js'

interface NativeTool {
  readonly action: DesktopAction
  readonly title: string
  readonly description: string
  readonly searchHint: string
  readonly input: Pick<DraftInput, 'modelSchema'> & Partial<DraftInput>
  readonly facts: FactRules
  readonly permission: PermissionFacts
  /** The texts for the program. */
  values(input: Readonly<Record<string, string>>): readonly string[]
  check?(input: Readonly<Record<string, string>>): ValueVerdict
  toOutput?(written: string): unknown
}

const text = (description: string, maxLength: number) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const

const tools: readonly NativeTool[] = [
  {
    action: 'notify',
    title: 'Show a notification',
    description: 'Shows a notification on the desktop of the person.',
    searchHint: 'desktop message alert tell person',
    input: {
      modelSchema: {
        type: 'object',
        additionalProperties: false,
        required: ['message'],
        properties: { title: text('The first line.', 200), message: text('What the person reads.', 2_000) },
      },
    },
    facts: { is_read_only: false, is_destructive: false, is_open_world: false, is_concurrency_safe: true },
    permission: { risk_level: 'low', access_kinds: [], write_effects: ['local_draft'] },
    values: ({ title = 'Toolcrib', message = '' }) => [cleanText(title), cleanText(message)],
  },
  {
    action: 'open',
    title: 'Open a file or a page',
    description: 'Opens a file, or a web page, with the program that the desktop has for it.',
    searchHint: 'desktop show file url browser application',
    input: {
      modelSchema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          url: text('An http or https URL.', 8_000),
          path: text('The path of a file or a folder.', 4_096),
        },
      },
      urlFields: ['url'],
      pathFields: [{ field: 'path', access: 'read' }],
    },
    facts: { is_read_only: false, is_destructive: false, is_open_world: true, is_concurrency_safe: true },
    // A file may be a program.
    permission: {
      risk_level: 'high',
      access_kinds: ['file_read', 'network', 'code_execution'],
      write_effects: ['local_persistent'],
      rule_matching_fields: ['url', 'path'],
    },
    values: ({ url, path }) => [url === undefined ? path! : new URL(url).href],
    check({ url, path }) {
      if ((url === undefined) === (path === undefined)) return 'Give either "url" or "path".'
      return url === undefined ? undefined : whyNotWebUrl(url)
    },
  },
  {
    action: 'clipboard.read',
    title: 'Read the clipboard',
    description: 'Returns the text on the clipboard of the person.',
    searchHint: 'desktop paste copied text',
    input: { modelSchema: { type: 'object', additionalProperties: false, properties: {} } },
    facts: { is_read_only: true, is_destructive: false, is_open_world: false, is_concurrency_safe: true },
    permission: {
      risk_level: 'medium',
      access_kinds: [],
      write_effects: ['none'],
      approval_required: true,
      approval_reason: 'A person may have copied a password.',
    },
    values: () => [],
    toOutput: (written) => cleanText(written),
  },
  {
    action: 'clipboard.write',
    title: 'Write the clipboard',
    description: 'Replaces the text on the clipboard of the person.',
    searchHint: 'desktop copy text',
    input: {
      modelSchema: {
        type: 'object',
        additionalProperties: false,
        required: ['text'],
        properties: { text: text('The text.', 1_000_000) },
      },
    },
    facts: { is_read_only: false, is_destructive: false, is_open_world: false, is_concurrency_safe: false },
    permission: { risk_level: 'medium', access_kinds: [], write_effects: ['local_draft'] },
    values: ({ text: given = '' }) => [given],
  },
]

/** Tools for the desktop of the person who runs Toolcrib. */
export const open: OpenBuiltin<'native'> = async (_settings, { env }) => ({
  drafts: tools.map((tool) => toDraft(tool, { platform: process.platform, env })),
})

function toDraft(tool: NativeTool, desktop: Desktop): ToolDraft {
  const { action, title, description, searchHint, input, facts, permission } = tool
  return createDraft({
    namespace: 'local.native',
    name: `native.${action}`,
    toolId: `tool_native_${action.replace('.', '_')}`,
    title,
    description,
    searchHint,
    kind: 'native_tool',
    externalMappings: [{ source: 'builtin', function_name: `native.${action}` }],
    input: { ...input, strict: false },
    facts: { ...facts, requires_user_interaction: false },
    reach: { runs: 'here' },
    permission,
    availability: {
      setupProblem() {
        const found = desktopCommand(action, desktop)
        return 'missing' in found ? found.missing : undefined
      },
    },
    execution: { kind: 'native_app', timeoutMs: 15_000, interruptBehavior: 'cancel', supports: ['cancel'] },
    ...(tool.check && { validateValues: tool.check }),
    async execute(given: Readonly<Record<string, string>>, { signal }: ExecuteContext) {
      const found = desktopCommand(action, desktop)
      if ('missing' in found) throw new Error(found.missing)
      const { toOutput } = tool
      const written = await runDesktopCommand(found, {
        values: tool.values(given),
        env: desktop.env,
        signal,
        readsOutput: toOutput !== undefined,
      })
      return toOutput ? toOutput(written.toString('utf8')) : { done: true }
    },
  })
}
