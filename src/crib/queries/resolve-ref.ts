import { nameOfRef } from '../../platform/json/versioned-ref.js'
import type { ToolProgress } from '../../contract/objects/tool-progress.js'
import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolSurface } from '../../contract/objects/tool-surface.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { ToolcribArtifact } from '../../contract/objects/toolcrib-artifact.js'
import type { CallStory } from '../../storage/journal/project-call.js'
import { resolveEngineRef } from '../../policy/engines/engine-version.js'
import type { Rule } from '../../policy/rules/rule.js'
import { describeRule } from '../../policy/rules/rule-version.js'
import type { CatalogTool } from '../../catalog/catalog-tool.js'
import { toolRecords, toolRef, unpackRecords, type ToolRecords } from '../../catalog/records/tool-records.js'
import { ARTIFACT_KIND, parseArtifactRef, versionOf } from '../../results/artifacts/artifact-ref.js'
import { PAYLOAD_KIND } from '../../results/payloads/payload-record.js'
import { createReceipt } from '../tasks/create-receipt.js'

export interface RefContext {
  story(invocationId: string): Promise<CallStory | undefined>
  progress(invocationId: string): Promise<ToolProgress[]>
  /** All revisions of a surface, from first to last. */
  surface(surfaceId: string): Promise<ToolSurface[]>
  tool(toolId: string): CatalogTool | undefined
  rules(): readonly Rule[]
  document(kind: string, id: string): Promise<unknown>
  /** The stored definition of a version, or of the last version of a name. */
  definition(ref: string): Promise<unknown>
  approval(approvalId: string): Promise<ToolcribApproval | undefined>
}

type Resolve = (match: RegExpExecArray, context: RefContext) => unknown

const ID = '(inv_[0-9a-z]+)'

/** A record of a tool in the version that the ref names; without a version, the current or last one. */
async function ofTool(
  [, record, name]: RegExpExecArray,
  { tool, definition }: RefContext,
): Promise<ToolRecords[keyof ToolRecords] | undefined> {
  const toolId = nameOfRef(name!)
  const live = tool(toolId)
  const records =
    live && (name === toolId || toolRef(live) === `tool:${name}`)
      ? toolRecords(live)
      : unpackRecords(await definition(`tool:${name}`))
  return records?.[record as keyof ToolRecords]
}

async function ofPolicy(
  [ref, revision]: RegExpExecArray,
  { definition, document }: RefContext,
): Promise<unknown> {
  const policy = (await definition(ref)) as { rule_refs: string[] } | undefined
  // Stores of earlier releases have it as a document of the tenant.
  if (!policy) return document('policy', revision!)
  const { rule_refs: refs, ...rest } = policy
  return { rules: await Promise.all(refs.map((each) => definition(each))), ...rest }
}

/** Without a version: the current rule. */
async function ofRule([ref]: RegExpExecArray, { rules, definition }: RefContext): Promise<unknown> {
  const live = rules().find((rule) => rule.ref === ref)
  return live ? describeRule(live) : definition(ref)
}

async function ofSurface(
  [, surfaceId, revision]: RegExpExecArray,
  { surface }: RefContext,
): Promise<unknown> {
  const records = await surface(surfaceId!)
  return revision === undefined
    ? records.at(-1)
    : records.find(({ toolcrib }) => toolcrib?.['revision'] === Number(revision))
}

const ofCall =
  (read: (story: CallStory, match: RegExpExecArray) => unknown): Resolve =>
  async (match, { story }) => {
    const found = await story(match[1]!)
    return found && read(found, match)
  }

/** A version of an artifact, or a hand-off of one. */
async function ofArtifact([ref]: RegExpExecArray, { document }: RefContext): Promise<unknown> {
  const parsed = parseArtifactRef(ref)
  const artifact =
    parsed && ((await document(ARTIFACT_KIND, parsed.artifactId)) as ToolcribArtifact | undefined)
  if (!artifact) return undefined
  return parsed.handOff === undefined
    ? versionOf(artifact, parsed)
    : artifact.handoff_refs[parsed.handOff - 1]
}

/** Every form of ref that Toolcrib writes, and how it is resolved. */
const forms: readonly [RegExp, Resolve][] = [
  [/^(tool|tool_interface|execution_profile|permission_profile):(.+)$/, ofTool],
  [/^policy:([0-9a-f]+)$/, ofPolicy],
  [/^(surface_[0-9a-z]+)(?:@(\d+))?$/, ofSurface],
  [/^toolcrib:\/\/scheduler-policies\/(.+)$/, ([, id], { document }) => document('scheduler_policy', id!)],
  [/^rule:[\s\S]+$/, ofRule],
  [/^engine:[\s\S]+$/, ([ref], { definition }) => resolveEngineRef(ref, definition)],
  [
    /^(?:waiver|hook|classifier|persistence_policy|toolcrib):(?!\/\/)[\s\S]+$/,
    ([ref], { definition }) => definition(ref),
  ],
  [new RegExp(`^toolcrib://invocations/${ID}$`), ofCall(({ invocation }) => invocation)],
  [
    new RegExp(`^toolcrib://invocations/${ID}/hooks/\\d+$`),
    ofCall(({ hooks }, [ref]) => hooks.find(({ toolcrib }) => toolcrib?.['run_ref'] === ref)),
  ],
  [
    new RegExp(`^toolcrib://invocations/${ID}/inputs/(\\d+)$`),
    ofCall(({ inputs }, [, , version]) => inputs[Number(version)]),
  ],
  [
    new RegExp(`^toolcrib://invocations/${ID}/partials/\\d+$`),
    ofCall(({ partials }, [ref]) => partials.find((part) => part.ref === ref)?.value),
  ],
  [
    new RegExp(`^toolcrib://invocations/${ID}/output$`),
    async ([ref, id], { document, story }) =>
      (await document(PAYLOAD_KIND, ref)) ?? (await story(id!))?.result,
  ],
  [
    new RegExp(`^toolcrib://invocations/${ID}/(?:native|protected|blocks/\\d+)$`),
    ([ref], { document }) => document(PAYLOAD_KIND, ref),
  ],
  [/^(?:toolcrib:\/\/artifacts\/)?(art_[0-9a-z]+)$/, ([, id], { document }) => document(ARTIFACT_KIND, id!)],
  [/^toolcrib:\/\/artifacts\/art_[0-9a-z]+\/.+$/, ofArtifact],
  [
    new RegExp(`^(?:toolcrib://approvals/)?(appr_${ID}_\\d+)$`),
    ([, approvalId], { approval }) => approval(approvalId!),
  ],
  [
    new RegExp(`^perm_${ID}_\\d+$`),
    ofCall(({ decisions }, [id]) => decisions.find((each) => each.decision_id === id)),
  ],
  [
    new RegExp(`^mut_${ID}_\\d+$`),
    ofCall(({ mutations }, [id]) => mutations.find((each) => each.mutation_id === id)),
  ],
  [new RegExp(`^persist_${ID}$`), ofCall(({ persistence }) => persistence)],
  [
    new RegExp(`^prog_${ID}_\\d+$`),
    async ([id, invocationId], { progress }) =>
      (await progress(invocationId!)).find((each) => each.progress_id === id),
  ],
  [new RegExp(`^receipt_${ID}$`), ofCall(receiptOf)],
  [new RegExp(`^res_${ID}$`), ofCall(({ result }) => result)],
  [new RegExp(`^${ID}$`), ofCall(({ invocation }) => invocation)],
]

/** The receipt of a background call. */
function receiptOf({ invocation, progress }: CallStory): ToolResult | undefined {
  const left = progress.find(({ status }) => status === 'backgrounded')
  if (!left) return undefined
  const { invocation_id: invocationId, tool_id: toolId, native_call_id: nativeCallId } = invocation
  const via = invocation.toolcrib?.['requested_via']
  const requestedVia = typeof via === 'string' ? via : undefined
  return createReceipt({ invocationId, toolId, nativeCallId, requestedVia, createdAt: left.timestamp })
}

/** Resolves a Toolcrib ref; `undefined` for another ref, or if the object is not here. */
export async function resolveRef(ref: string, context: RefContext): Promise<unknown> {
  for (const [form, resolve] of forms) {
    const match = form.exec(ref)
    if (match) return resolve(match, context)
  }
  // Records also refer to tools by their ids alone.
  return resolveTool(ref, context)
}

async function resolveTool(toolId: string, context: RefContext): Promise<unknown> {
  const live = context.tool(toolId)
  return live ? toolRecords(live).tool : unpackRecords(await context.definition(`tool:${toolId}`))?.tool
}
