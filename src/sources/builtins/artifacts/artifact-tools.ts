import { createDraft } from '../../../catalog/create-draft.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import { toolOutput, type ToolOutput } from '../../../catalog/tool-output.js'
import type { JsonSchema } from '../../../contract/json-schema.js'
import type { ToolcribArtifact } from '../../../contract/objects/toolcrib-artifact.js'
import { failure } from '../../http/to-failure.js'
import type { OpenBuiltin } from '../builtin.js'
import { onlyReads } from '../only-reads.js'

/** Tools that list, show and write artifacts. */
export const open: OpenBuiltin<'artifacts'> = async () => ({
  drafts: [artifactList, artifactShow, artifactCreate],
})

const DEFAULT_LIMIT = 50
const text = { type: 'string', minLength: 1 } as const

function described(name: string): Pick<ToolDraft, 'namespace' | 'kind' | 'toolId' | 'externalMappings'> {
  return {
    namespace: 'local.artifacts',
    kind: 'artifact_operation',
    toolId: `tool_${name.replace('.', '_')}`,
    externalMappings: [{ source: 'builtin', function_name: name }],
  }
}

function strictInput(properties: Record<string, JsonSchema>, required: readonly string[]) {
  return {
    strict: true,
    modelSchema: { type: 'object', properties, required, additionalProperties: false } as JsonSchema,
  }
}

const artifactList = createDraft({
  ...described('artifact.list'),
  name: 'artifact.list',
  title: 'List artifacts',
  description:
    'List the artifacts that calls have delivered (files, reports, screenshots), the newest first.',
  searchHint: 'list delivered artifacts, files, reports',
  input: strictInput(
    {
      name: { ...text, description: 'Only artifacts of this file name.' },
      limit: { type: 'integer', minimum: 1, maximum: 200, default: DEFAULT_LIMIT },
    },
    [],
  ),
  ...onlyReads,
  async execute({ name, limit = DEFAULT_LIMIT }: { name?: string; limit?: number }, { caller }) {
    const found: ToolcribArtifact[] = []
    for await (const artifact of caller.artifacts())
      if (name === undefined || artifact.name === name) found.push(artifact)
    const artifacts = found.toReversed().slice(0, limit).map(summaryOf)
    return { artifacts, total: found.length }
  },
})

const artifactShow = createDraft({
  ...described('artifact.show'),
  name: 'artifact.show',
  title: 'Show an artifact',
  description:
    'Show an artifact: its versions, where each came from, and a preview. Read the whole of a version by its uri, with result.read or as an argument of another tool.',
  searchHint: 'show an artifact, its versions and its preview',
  input: strictInput({ artifact_id: { ...text, description: 'Its id: art_…' } }, ['artifact_id']),
  ...onlyReads,
  async execute({ artifact_id: id }: { artifact_id: string }, context) {
    const artifact = await find(id, context)
    return {
      ...summaryOf(artifact),
      ...(artifact.description !== undefined && { description: artifact.description }),
      versions: artifact.versions.map(({ provenance, ...version }) => ({
        ...version,
        made_by: provenance.tool_id,
        invocation_id: provenance.invocation_id,
      })),
    }
  },
})

interface NewContent {
  readonly name: string
  readonly content: string
  readonly media_type?: string
  readonly title?: string
  readonly description?: string
  readonly artifact_id?: string
}

const artifactCreate = createDraft({
  ...described('artifact.create'),
  name: 'artifact.create',
  title: 'Create an artifact',
  description:
    'Deliver a text as an artifact: a file with versions that people can open and export. With artifact_id it becomes a new version of that artifact. The content may be the ref of a stored result (toolcrib://…).',
  searchHint: 'deliver a report or file as an artifact',
  input: strictInput(
    {
      name: { ...text, description: 'A file name: report.md' },
      content: { type: 'string', description: 'The text, or a ref.' },
      media_type: { ...text, description: 'Found from the name by default.' },
      title: text,
      description: text,
      artifact_id: { ...text, description: 'The artifact that gets a new version: art_…' },
    },
    ['name', 'content'],
  ),
  output: { artifacts: { min: 1 } },
  facts: {
    is_read_only: false,
    is_destructive: false,
    is_open_world: false,
    is_concurrency_safe: true,
    requires_user_interaction: false,
    requires_exclusive_context: false,
  },
  reach: { runs: 'in_process', hosts: [] },
  permission: {
    risk_level: 'low',
    access_kinds: [],
    write_effects: ['local_draft'],
    approval_required: false,
  },
  execution: { kind: 'embedded_runtime', supports: ['artifacts', 'offline'] },
  async execute(input: NewContent, context): Promise<ToolOutput> {
    const { name, content, media_type: mediaType, title, description, artifact_id: artifact } = input
    if (artifact !== undefined) await find(artifact, context)
    const made = { name, content, mediaType, title, description, artifact }
    const given = Object.entries(made).filter(([, value]) => value !== undefined)
    return toolOutput({
      summary: `${name} was delivered.`,
      artifacts: [Object.fromEntries(given) as { name: string; content: string }],
    })
  },
})

async function find(
  artifactId: string,
  { caller }: Pick<ExecuteContext, 'caller'>,
): Promise<ToolcribArtifact> {
  for await (const artifact of caller.artifacts()) if (artifact.artifact_id === artifactId) return artifact
  throw failure(`There is no artifact ${artifactId}; artifact.list names those that there are.`, {
    errorClass: 'execution_failed',
    code: 'toolcrib.execution_failed',
    needsOtherArguments: true,
    nothingHappened: true,
  })
}

function summaryOf({ artifact_id, name, title, versions, updated_at }: ToolcribArtifact) {
  const { version, uri, media_type, size_bytes } = versions.at(-1)!
  return {
    artifact_id,
    name,
    ...(title !== undefined && { title }),
    version,
    uri,
    media_type,
    size_bytes,
    updated_at,
  }
}
