import type { HookEvent } from '../contract/unions.js'
import type { HookCall } from './hook.js'

/** The event names for commands and endpoints. */
export const PROTOCOL_EVENTS: Record<HookEvent, string> = {
  pre_tool_use: 'PreToolUse',
  post_tool_use: 'PostToolUse',
  post_tool_use_failure: 'PostToolUseFailure',
  permission_request: 'PermissionRequest',
  permission_decision: 'PermissionDecision',
  result_persistence: 'ResultPersistence',
}

/** What a command reads on stdin and an endpoint gets as body: the field names that coding agents use. */
export function toProtocolInput(call: HookCall): string {
  const { error, nativeCallId, invocationId } = call
  return JSON.stringify({
    session_id: call.session ?? '',
    cwd: call.workspace,
    permission_mode: call.permissionMode,
    hook_event_name: PROTOCOL_EVENTS[call.event],
    tool_name: call.toolName,
    tool_id: call.toolId,
    tool_input: call.input,
    ...(call.output !== undefined && { tool_response: call.output }),
    ...(error && {
      error: error.message,
      error_class: error.error_class,
      is_interrupt: error.error_class === 'canceled',
    }),
    ...(call.decision && { permission_decision: call.decision }),
    tool_use_id: nativeCallId ?? invocationId,
    invocation_id: invocationId,
    ...(call.actor !== undefined && { actor: call.actor }),
  })
}
