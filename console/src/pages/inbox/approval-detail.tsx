import type { ReactNode } from 'react'
import { getApproval } from '../../api/client.js'
import type { ApprovalItem, ToolcribApproval } from '../../api/types.js'
import { useResource } from '../../live/use-resource.js'
import { callPath, toolPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { FactBadges, RiskBadge, StatusBadge } from '../../ui/badge.js'
import { Diff } from '../../ui/diff.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { sourceWords } from '../../ui/explained-call.js'
import { Fields } from '../../ui/fields.js'
import { Json } from '../../ui/json.js'
import { Text } from '../../ui/text.js'
import { Time } from '../../ui/time.js'
import { useMedia } from '../../ui/virtual-table.js'
import { AnswerPanel } from './answer-panel.js'
import { Outcome } from './outcome.js'

interface ApprovalDetailProps {
  readonly id: string
  /** From the list; what the server says about the one question replaces it. */
  readonly known: ApprovalItem | undefined
  readonly onAnswered: (id: string) => void
}

/** The heading that has the focus after the question before was answered. */
export const QUESTION_TITLE = 'question-title'

/** Everything that a reviewer needs to answer one question. */
export function ApprovalDetail({ id, known, onAnswered }: ApprovalDetailProps): ReactNode {
  const isNarrow = useMedia('(max-width: 899px)')
  const { data, error, refresh } = useResource(`approval ${id}`, (signal) => getApproval(id, signal), {
    events: {
      types: ['tool.permission.', 'toolcrib.', 'tool.invocation.'],
      invocation: known?.approval.invocation_id,
    },
  })
  const item = data ?? known
  if (item === undefined) {
    if (error === undefined) return <Loading />
    return error.status === 404 ? <NoSuchQuestion /> : <ErrorBox error={error} onRetry={refresh} />
  }
  const { approval } = item
  const isPending = approval.status === 'pending'
  const input = <Arguments key="arguments" item={item} />
  const why = <Why key="why" item={item} />
  const effects = <Effects key="effects" item={item} />
  return (
    <>
      <div className="question">
        <header className="question-header">
          <h2 id={QUESTION_TITLE} tabIndex={-1}>
            <Text>{approval.title}</Text>
          </h2>
          <span className="badges">
            <RiskBadge risk={item.risk} />
            {!isPending && <StatusBadge status={approval.status} />}
          </span>
        </header>
        <Summary item={item} />
        {!isPending && <Outcome approval={approval} />}
        {/* The buttons are always in view. On a narrow screen, nothing that runs may be below them unseen. */}
        {isNarrow ? [input, why, effects] : [why, effects, input]}
        <Who item={item} />
      </div>
      <AnswerPanel item={item} onAnswered={onAnswered} />
    </>
  )
}

function NoSuchQuestion(): ReactNode {
  return (
    <Empty title="There is no such question">
      Its record may have been deleted. <Link to="/inbox">Show what waits</Link>
    </Empty>
  )
}

/** Who asks for what and until when, in one line. */
function Summary({ item: { approval, tool_name } }: { readonly item: ApprovalItem }): ReactNode {
  const { requested_by, tool_id, created_at, expires_at, status } = approval
  const client = requested_by.client === undefined ? '' : ` through ${requested_by.client}`
  return (
    <p className="question-summary">
      <strong>
        <Text>{requested_by.actor ?? 'An unnamed agent'}</Text>
      </strong>
      <Text>{client}</Text> wants to call{' '}
      <Link to={toolPath(tool_id)}>
        <Text>{tool_name}</Text>
      </Link>
      .{' '}
      <span className="muted">
        Asked <Time at={created_at} />
        {status === 'pending' && (
          <>
            , expires <Time at={expires_at} />
          </>
        )}
        .
      </span>
    </p>
  )
}

function Why({ item: { approval } }: { readonly item: ApprovalItem }): ReactNode {
  const { reason, source, rule_refs = [] } = approval.decision
  const refs = rule_refs.length > 0 ? rule_refs : reason?.rule_ref === undefined ? [] : [reason.rule_ref]
  // The sentence names the rule that decided.
  const rules = refs.filter((ref) => !approval.message.includes(ruleText(ref)))
  return (
    <section className="section">
      <h3>{approval.form === undefined ? 'Why it asks' : 'What it asks'}</h3>
      {approval.form !== undefined && <Description approval={approval} />}
      <p className="prose">
        <Text>{approval.message}</Text>
      </p>
      {rules.length > 0 && (
        <p>
          <span className="muted">Rule</span> <RuleList rules={rules} />
          {source !== undefined && <span className="muted"> of {sourceWords(source)}</span>}
        </p>
      )}
    </section>
  )
}

function Description({ approval }: { readonly approval: ToolcribApproval }): ReactNode {
  const { description, title, message } = approval
  if (description === '' || description === title || description === message) return null
  return (
    <p className="prose">
      <Text>{description}</Text>
    </p>
  )
}

function RuleList({ rules }: { readonly rules: readonly string[] }): ReactNode {
  return rules.map((rule, index) => (
    <code key={rule}>
      {index > 0 && ', '}
      <Text>{ruleText(rule)}</Text>
    </code>
  ))
}

/** The rule as its author wrote it: a ref has its source before it and its version behind it. */
function ruleText(ref: string): string {
  const match = /^rule:[^:]+:(allow|ask|deny):(.*?)(?:@[0-9a-f]+)?$/s.exec(ref)
  return match === null ? ref : `${match[1]} ${match[2]}`
}

function Effects({ item: { approval } }: { readonly item: ApprovalItem }): ReactNode {
  const { facts, touches = {} } = approval
  if (facts === undefined && Object.keys(touches).length === 0) return null
  return (
    <section className="section">
      <h3>What it does</h3>
      {approval.form === undefined && <Description approval={approval} />}
      {facts !== undefined && <FactBadges facts={facts} undeclared={facts.undeclared ?? []} />}
      <Fields
        rows={[
          ['Writes', <Names key="writes" names={touches.writes} />],
          ['Reaches', <Names key="hosts" names={touches.hosts} />],
          ['Reads', <Names key="reads" names={touches.reads} />],
        ].flatMap(([label, value], index) =>
          [touches.writes, touches.hosts, touches.reads][index]?.length
            ? [[String(label), value] as const]
            : [],
        )}
      />
    </section>
  )
}

function Names({ names = [] }: { readonly names: readonly string[] | undefined }): ReactNode {
  return (
    <ul>
      {names.map((name) => (
        <li key={name}>
          <code>
            <Text>{name}</Text>
          </code>
        </li>
      ))}
    </ul>
  )
}

function Arguments({ item: { approval, input_diff = [] } }: { readonly item: ApprovalItem }): ReactNode {
  const isChanged = input_diff.some((line) => /^[+-]/.test(line))
  return (
    <>
      <section className="section">
        <h3>
          Arguments{' '}
          {!isChanged && approval.form === undefined && (
            <span className="muted plain">exactly as the model wrote them</span>
          )}
        </h3>
        <Json value={approval.input} label="Arguments" depth={4} />
      </section>
      {isChanged && (
        <section className="section">
          <h3>Changed since the model wrote them</h3>
          <Diff lines={input_diff} label="Changes to the arguments" />
        </section>
      )}
    </>
  )
}

function Who({ item: { approval, tool_name } }: { readonly item: ApprovalItem }): ReactNode {
  const { requested_by, session, status, created_at, expires_at, invocation_id, tool_id } = approval
  const { assigned_to, queue } = approval
  return (
    <section className="section">
      <h3>Who asks</h3>
      <Fields
        rows={[
          ['Agent', <Text key="actor">{requested_by.actor ?? 'unnamed'}</Text>],
          [
            'Client',
            requested_by.client === undefined ? '' : <Text key="client">{requested_by.client}</Text>,
          ],
          [
            'On behalf of',
            requested_by.above.length === 0 ? '' : <Text key="above">{requested_by.above.join(', ')}</Text>,
          ],
          [
            'Session',
            session === undefined ? (
              ''
            ) : (
              <Link key="session" to={`/calls?session=${encodeURIComponent(session)}`}>
                <Text>{session}</Text>
              </Link>
            ),
          ],
          [
            'Tool',
            <Link key="tool" to={toolPath(tool_id)}>
              <Text>{tool_name}</Text>
            </Link>,
          ],
          [
            'Call',
            <Link key="call" to={callPath(invocation_id)}>
              {invocation_id}
            </Link>,
          ],
          ['Queue', queue === undefined ? '' : <Text key="queue">{queue}</Text>],
          [
            'Assigned to',
            assigned_to === undefined ? '' : <Text key="assigned">{assigned_to.join(', ')}</Text>,
          ],
          ['Asked', <Time key="asked" at={created_at} />],
          ['Expires', status === 'pending' ? <Time key="expires" at={expires_at} /> : ''],
        ]}
      />
    </section>
  )
}
