import { request } from './http.js'
import type {
  ApprovalAnswer,
  ApprovalCheck,
  ApprovalItem,
  CallStory,
  CallUnderWay,
  FoundTool,
  InvocationQuery,
  InvocationSummary,
  List,
  ListedLock,
  Session,
  ToolDetail,
  ToolEvent,
  ToolInvocation,
  ToolResult,
  ToolSummary,
  ToolcribApproval,
} from './types.js'

// One function per route of the API. A page imports these and never calls fetch itself.

export const getSession = (): Promise<Session> => request('/session')

export const openSession = (proof: { login_code: string } | { token: string }): Promise<Session> =>
  request('/session', { method: 'POST', body: proof })

export const closeSession = (): Promise<void> => request('/session', { method: 'DELETE' })

export const listTools = (
  query: {
    query?: string
    source?: string
    kind?: string
    state?: string
    cursor?: string
    limit?: number
  },
  signal?: AbortSignal,
): Promise<List<ToolSummary>> => request('/tools', { query, signal })

export const getTool = (tool: string, signal?: AbortSignal): Promise<ToolDetail> =>
  request(`/tools/${encodeURIComponent(tool)}`, { signal })

export const searchTools = (
  query: { query: string; limit?: number; surface?: string },
  signal?: AbortSignal,
): Promise<{ query: string; items: readonly FoundTool[] }> => request('/search', { query, signal })

/** The digest is of the change that the person saw: another one is not accepted. */
export const acceptTool = (tool: string, digest: string): Promise<{ accepted: readonly string[] }> =>
  request(`/tools/${encodeURIComponent(tool)}/accept`, { method: 'POST', body: { digest } })

/** The result, or where the call is found while it goes on or waits for a person. */
export const callTool = (call: {
  readonly tool: string
  readonly input: unknown
  readonly surface?: string
  readonly wait_ms?: number
}): Promise<ToolResult | CallUnderWay> => request('/calls', { method: 'POST', body: call })

export const listInvocations = (
  query: InvocationQuery,
  signal?: AbortSignal,
): Promise<List<InvocationSummary>> => request('/invocations', { query, signal })

export const getInvocation = (
  id: string,
  signal?: AbortSignal,
): Promise<{ invocation: ToolInvocation; result?: ToolResult }> =>
  request(`/invocations/${encodeURIComponent(id)}`, { signal })

export const getStory = (id: string, signal?: AbortSignal): Promise<CallStory> =>
  request(`/invocations/${encodeURIComponent(id)}/story`, { signal })

export const listCallEvents = (
  id: string,
  query: { cursor?: string; limit?: number },
  signal?: AbortSignal,
): Promise<List<ToolEvent>> => request(`/invocations/${encodeURIComponent(id)}/events`, { query, signal })

export const cancelInvocation = (
  id: string,
): Promise<{ invocation_id: string; status: 'cancel_requested' | 'ended' }> =>
  request(`/invocations/${encodeURIComponent(id)}/cancel`, {
    method: 'POST',
    body: { reason: 'user_interruption' },
  })

export const listLocks = (signal?: AbortSignal): Promise<List<ListedLock>> => request('/locks', { signal })

export const listApprovals = (
  query: { status?: string; session?: string; queue?: string; limit?: number; cursor?: string },
  signal?: AbortSignal,
): Promise<List<ApprovalItem>> => request('/approvals', { query, signal })

export const countApprovals = (signal?: AbortSignal): Promise<{ readonly waiting: number }> =>
  request('/approvals/count', { signal })

export const getApproval = (id: string, signal?: AbortSignal): Promise<ApprovalItem> =>
  request(`/approvals/${encodeURIComponent(id)}`, { signal })

export const checkApproval = (id: string, input: unknown, signal?: AbortSignal): Promise<ApprovalCheck> =>
  request(`/approvals/${encodeURIComponent(id)}/check`, { method: 'POST', body: { input }, signal })

export const answerApproval = (
  id: string,
  answer: ApprovalAnswer,
): Promise<{ approval: ToolcribApproval; goes_on: string }> =>
  request(`/approvals/${encodeURIComponent(id)}/answer`, { method: 'POST', body: answer })
