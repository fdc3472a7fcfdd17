import { useState, type ReactNode } from 'react'
import { previewRules, type ChangedDecision, type RuleChanges, type RulesPreview } from '../../api/policy.js'
import { useResource } from '../../live/use-resource.js'
import { callPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { ErrorBox } from '../../ui/error-box.js'
import { BehaviorBadge } from '../../ui/explained-call.js'
import { Text, visibleText } from '../../ui/text.js'
import { Time } from '../../ui/time.js'

const EXAMINED = 1_000
const SHOWN = 20

/** Which of the last calls would be decided otherwise. */
export function ChangePreview({ changes }: { readonly changes: RuleChanges }): ReactNode {
  const { data, error, isLoading } = useResource(`rule preview ${JSON.stringify(changes)}`, (signal) =>
    previewRules({ ...changes, limit: EXAMINED }, signal),
  )
  return (
    <div className="section" aria-live="polite" aria-busy={isLoading}>
      <ErrorBox error={error} />
      {data === undefined ? (
        error === undefined && <p className="muted">Judging the last calls…</p>
      ) : (
        <Preview preview={data} />
      )}
    </div>
  )
}

function Preview({ preview }: { readonly preview: RulesPreview }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const { changed, problems } = preview
  const shown = isWhole ? changed : changed.slice(0, SHOWN)
  return (
    <>
      {problems.map((problem) => (
        <p key={problem} className="notice warn">
          <Text>{problem}</Text>
        </p>
      ))}
      <p>{summaryOf(preview)}</p>
      {changed.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Changed decisions">
          <table className="plain-table preview-table">
            <caption className="visually-hidden">Calls that would be decided otherwise</caption>
            <thead>
              <tr>
                <th scope="col">Call</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
                <th scope="col">Why</th>
                <th scope="col">When</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((call) => (
                <ChangedCall key={call.invocation_id} call={call} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.length < changed.length && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          Show all {changed.length.toLocaleString()}
        </button>
      )}
    </>
  )
}

function ChangedCall({ call }: { readonly call: ChangedDecision }): ReactNode {
  return (
    <tr>
      <td>
        <Link to={callPath(call.invocation_id)} title={call.invocation_id}>
          <Text>{call.tool_name}</Text>
        </Link>
      </td>
      <td>
        <BehaviorBadge behavior={call.before} />
      </td>
      <td>
        <BehaviorBadge behavior={call.after} />
      </td>
      <td className="preview-why" title={visibleText(call.reason)}>
        <Text>{call.reason}</Text>
      </td>
      <td className="muted">
        <Time at={call.created_at} />
      </td>
    </tr>
  )
}

function summaryOf({ examined, not_examined: missing = 0, changed }: RulesPreview): string {
  const calls = examined === 1 ? 'the last call' : `the last ${examined.toLocaleString()} calls`
  const first =
    examined === 0
      ? 'There is no recorded call to compare with.'
      : changed.length === 0
        ? `None of ${calls} would be decided otherwise.`
        : `${changed.length.toLocaleString()} of ${calls} would be decided otherwise.`
  return missing === 0 ? first : `${first} ${missing.toLocaleString()} more are of tools that are gone.`
}
