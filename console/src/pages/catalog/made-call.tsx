import type { ReactNode } from 'react'
import { getStory } from '../../api/client.js'
import type { CallStory, ToolResult } from '../../api/types.js'
import { useResource } from '../../live/use-resource.js'
import { approvalPath, callPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { StatusBadge } from '../../ui/badge.js'
import { Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { BehaviorBadge } from '../../ui/explained-call.js'
import { Json } from '../../ui/json.js'
import { Text } from '../../ui/text.js'

/** A call that was made here: how it was decided, and its result as soon as there is one. */
export function MadeCall({ id }: { readonly id: string }): ReactNode {
  const { data: story, error } = useResource(`story ${id}`, (signal) => getStory(id, signal), {
    events: { invocation: id },
  })
  if (story === undefined) return error === undefined ? <Loading /> : <ErrorBox error={error} />
  const { invocation, result } = story
  const decision = story.decisions.at(-1)
  const waiting = story.approvals.find(({ status }) => status === 'pending')
  return (
    <div className="made-call">
      <div className="made-call-head">
        <StatusBadge status={result?.status ?? invocation.status} />
        <Link to={callPath(id)}>Story of the call</Link>
      </div>
      {decision !== undefined && (
        <p className="explained-decision">
          <BehaviorBadge behavior={decision.behavior} />
          <span>
            <Text>{messageOf(decision)}</Text>
          </span>
        </p>
      )}
      {waiting !== undefined && (
        <p className="notice warn">
          <span>
            The call waits for a person.{' '}
            <Link to={approvalPath(waiting.approval_id)}>Open it in the inbox</Link>
          </span>
        </p>
      )}
      {result !== undefined && <Result result={result} />}
    </div>
  )
}

function messageOf(decision: CallStory['decisions'][number]): string {
  const { reason } = decision
  return typeof reason === 'object' && reason !== null && 'message' in reason ? String(reason.message) : ''
}

function Result({ result }: { readonly result: ToolResult }): ReactNode {
  const { error, structured_content: structured } = result
  const text = textOf(result)
  return (
    <>
      {error !== undefined && (
        <p className="error-box">
          <Text>{error.message ?? error.error_class}</Text>
        </p>
      )}
      {text !== '' && error === undefined && (
        <pre className="result-text" tabIndex={0} aria-label="Result">
          <Text>{text}</Text>
        </pre>
      )}
      {structured !== undefined && <Json value={structured} label="Structured result" />}
    </>
  )
}

function textOf({ model_facing_content: given, content }: ToolResult): string {
  const blocks = given ?? content ?? []
  return blocks
    .map((block) =>
      typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string'
        ? block.text
        : JSON.stringify(block),
    )
    .join('\n')
}
