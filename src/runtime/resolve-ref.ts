import type { ToolProgress } from '../foundation/contract/objects/tool-progress.js'
import type { ToolResult } from '../foundation/contract/objects/tool-result.js'
import type { ToolcribApproval } from '../foundation/contract/objects/toolcrib-approval.js'
import type { ToolcribArtifact } from '../foundation/contract/objects/toolcrib-artifact.js'
import type { CallStory } from '../foundation/events/project-call.js'
import type { Rule } from '../judgement/policy/rule.js'
import type { HookDefinition } from '../judgement/hooks/hook.js'
import { declaredHook } from '../calls/pipeline/hook-record.js'
import type { CatalogTool } from '../supply/catalog/catalog-tool.js'
import { toDeclaration } from '../supply/catalog/to-declaration.js'
import { toExecutionProfile, toInterface, toPermissionProfile } from '../supply/catalog/to-profiles.js'
import { ARTIFACT_KIND, parseArtifactRef, versionOf } from '../calls/results/artifacts/artifact-ref.js'
import { PAYLOAD_KIND } from '../calls/results/payloads/payload-record.js'
import { createReceipt } from './create-receipt.js'

export interface RefWorld {
  story(invocationId: string): Promise<CallStory | undefined>
  progress(invocationId: string): Promise<ToolProgress[]>
  tool(toolId: string): CatalogTool | undefined
  rules(): readonly Rule[]
  document(kind: string, id: string): Promise<unknown>
  hooks: readonly HookDefinition[]
  approval(approvalId: string): Promise<ToolcribApproval | undefined>
}

type Resolve = (match: RegExpExecArray, world: RefWorld) => unknown

const ID = '(inv_[0-9a-z]+)'

const ofTool =
  (read: (tool: CatalogTool) => unknown): Resolve =>
  ([, toolId], { tool }) => {
    const found = tool(toolId!)
    return found && read(found)
  }

const ofCall =
  (read: (story: CallStory, match: RegExpExecArray) => unknown): Resolve =>
  async (match, { story }) => {
    const found = await story(match[1]!)
    return found && read(found, match)
  }

/** A version, or a hand-off of one. */
async function ofArtifact([ref]: RegExpExecArray, { document }: RefWorld): Promise<unknown> {
  const parsed = parseArtifactRef(ref)
  const artifact =
    parsed && ((await document(ARTIFACT_KIND, parsed.artifactId)) as ToolcribArtifact | undefined)
  if (!artifact) return undefined
  return parsed.handOff === undefined
    ? versionOf(artifact, parsed)
    : artifact.handoff_refs[parsed.handOff - 1]
}

/** Every form of ref that we write, and what it stands for. */
const forms: readonly [RegExp, Resolve][] = [
  [/^tool_interface:(.+)$/, ofTool(toInterface)],
  [/^execution_profile:(.+)$/, ofTool(toExecutionProfile)],
  [/^permission_profile:(.+)$/, ofTool(toPermissionProfile)],
  [/^tool:(.+)$/, ofTool(toDeclaration)],
  [/^policy:([0-9a-f]+)$/, ([, revision], { document }) => document('policy', revision!)],
  [/^toolcrib:\/\/scheduler-policies\/(.+)$/, ([, id], { document }) => document('scheduler_policy', id!)],
  [/^rule:[\s\S]+$/, ([ref], { rules }) => rules().find((rule) => rule.ref === ref)],
  [/^waiver:[\s\S]+$/, ([ref], { rules }) => rules().find(({ waiver }) => waiver?.ref === ref)?.waiver],
  [
    /^hook:(.+)$/,
    ([, id], { hooks }) => {
      const found = hooks.find((hook) => hook.id === id)
      return found && declaredHook(found)
    },
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

/** The receipt of a call that was put into the background. */
function receiptOf({ invocation, progress }: CallStory): ToolResult | undefined {
  const left = progress.find(({ status }) => status === 'backgrounded')
  if (!left) return undefined
  const { invocation_id: invocationId, tool_id: toolId, native_call_id: nativeCallId } = invocation
  const via = invocation.toolcrib?.['requested_via']
  const requestedVia = typeof via === 'string' ? via : undefined
  return createReceipt({ invocationId, toolId, nativeCallId, requestedVia, createdAt: left.timestamp })
}

/** What a ref of ours stands for; nothing for a ref of somebody else, or of something that is not here. */
export async function resolveRef(ref: string, world: RefWorld): Promise<unknown> {
  for (const [form, resolve] of forms) {
    const match = form.exec(ref)
    if (match) return resolve(match, world)
  }
  return undefined
}
