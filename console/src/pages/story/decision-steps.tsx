import type { ReactNode } from 'react'
import type { CallStory, ToolPermissionDecision, ToolcribApproval } from '../../api/types.js'
import { approvalPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { FactBadges, StatusBadge } from '../../ui/badge.js'
import { ExplainedCallView, sourceWords } from '../../ui/explained-call.js'
import { Fields } from '../../ui/fields.js'
import { Json } from '../../ui/json.js'
import { Text } from '../../ui/text.js'
import { duration, Time } from '../../ui/time.js'
import { More, StepTitle } from './step-title.js'

const WORDS: Readonly<Record<string, string>> = {
  allow: 'Allowed',
  ask: 'A person has to decide',
  deny: 'Denied',
  passthrough: 'Left open',
}

interface DecisionStepProps {
  readonly decision: ToolPermissionDecision
  /** The rules as of now; absent where a later decision has them. */
  readonly explained: CallStory['explained']
}

export function DecisionStep({ decision, explained }: DecisionStepProps): ReactNode {
  const { behavior, reason, source, mode, blocked_path: blocked, classifier_reason: classified } = decision
  const rules = rulesOf(decision)
  const hasMessage = reason?.message !== undefined && !(rules.length > 0 && STANDARD.test(reason.message))
  return (
    <>
      <StepTitle note={mode !== undefined && `mode ${mode}`}>
        {WORDS[behavior] ?? behavior}
        {rules.length === 0 && ` by ${sourceWords(source ?? '')}`}
      </StepTitle>
      {rules.length > 0 && <RuleTexts rules={rules} />}
      {[hasMessage ? reason.message : undefined, classified].map(
        (text) =>
          text !== undefined && (
            <p key={text} className="prose">
              <Text>{text}</Text>
            </p>
          ),
      )}
      {blocked !== undefined && (
        <p className="prose">
          Blocked path: <Text>{blocked}</Text>
        </p>
      )}
      {explained !== undefined && (
        <More summary={explainedSummary(explained, behavior)}>
          <p className="notice">
            This is judged now, by the rules as they are today. The decision above is the one that was made.
          </p>
          <ExplainedCallView explained={explained} />
        </More>
      )}
    </>
  )
}

/** It repeats the rule and nothing else. */
const STANDARD = /^The rule .+ (?:applies|denies it)\.$/s

function explainedSummary(explained: NonNullable<CallStory['explained']>, behavior: string): string {
  const count = explained.considered.length
  const rules = count === 1 ? 'One rule is' : `${count === 0 ? 'No' : count} rules are`
  const changed =
    explained.behavior === behavior
      ? ''
      : `; the decision would now be: ${(WORDS[explained.behavior] ?? explained.behavior).toLowerCase()}`
  return `${rules} considered as of now${changed}`
}

interface RuleText {
  readonly behavior: string
  readonly text: string
  readonly source: string
}

function RuleTexts({ rules }: { readonly rules: readonly RuleText[] }): ReactNode {
  return (
    <ul className="step-lines">
      {rules.map(({ behavior, text, source }) => (
        <li key={`${behavior} ${text} ${source}`}>
          by the rule{' '}
          <code>
            <Text>{`${behavior} ${text}`}</Text>
          </code>{' '}
          <span className="muted">of {sourceWords(source)}</span>
        </li>
      ))}
    </ul>
  )
}

/** A ref of a rule is `rule:<source>:<behavior>:<text>@<digest>`. */
function rulesOf({ rule_refs: refs = [], reason }: ToolPermissionDecision): readonly RuleText[] {
  const all = [...new Set([...(reason?.rule_ref === undefined ? [] : [reason.rule_ref]), ...refs])]
  return all.flatMap((ref) => {
    const [, source, behavior, text] = /^rule:([^:]*):([^:]*):([\s\S]*)$/.exec(ref) ?? []
    if (source === undefined || behavior === undefined || text === undefined) return []
    return [{ source, behavior, text: text.replace(/@[0-9a-f]{32}$/, '') }]
  })
}

export function ApprovalStep({ approval }: { readonly approval: ToolcribApproval }): ReactNode {
  const { answer, status, created_at: asked, facts, reviewers = [], assigned_to: assigned } = approval
  const who = assigned ?? reviewers
  return (
    <>
      <StepTitle note={<StatusBadge status={status} />}>
        {approval.form === undefined ? 'Approval was asked for' : 'A person was asked'}
      </StepTitle>
      <Fields
        rows={[
          ['Question', <Text key="title">{approval.title}</Text>],
          ['Why', <Text key="why">{approval.message}</Text>],
          ['Effects', facts && <FactBadges key="facts" facts={facts} undeclared={facts.undeclared ?? []} />],
          ['Touches', touched(approval)],
          ['May answer', who.length === 0 ? undefined : <Text key="who">{who.join(', ')}</Text>],
          ['Queue', approval.queue && <Text key="queue">{approval.queue}</Text>],
        ]}
      />
      {answer !== undefined && <Answer answer={answer} afterMs={Date.parse(answer.at) - Date.parse(asked)} />}
      {status === 'pending' && (
        <p className="step-actions">
          <Link to={approvalPath(approval.approval_id)} className="button primary">
            Answer in the inbox
          </Link>
          <span className="muted">
            The question expires <Time at={approval.expires_at} />.
          </span>
        </p>
      )}
      {status === 'expired' && <p>Nobody answered in time.</p>}
      {(approval.delivery?.late_answers ?? []).map(({ by, approved, at }) => (
        <p key={at}>
          <Text>{by}</Text> {approved ? 'approved' : 'rejected'} after the time limit, which changed nothing.
        </p>
      ))}
    </>
  )
}

function touched({ touches }: ToolcribApproval): ReactNode {
  const parts = [
    ...(touches?.writes ?? []).map((path) => `writes ${path}`),
    ...(touches?.reads ?? [])
      .filter((path) => touches?.writes?.includes(path) !== true)
      .map((path) => `reads ${path}`),
    ...(touches?.hosts ?? []).map((host) => `reaches ${host}`),
  ]
  if (parts.length === 0) return undefined
  return (
    <ul>
      {parts.map((part) => (
        <li key={part}>
          <Text>{part}</Text>
        </li>
      ))}
    </ul>
  )
}

interface AnswerProps {
  readonly answer: NonNullable<ToolcribApproval['answer']>
  readonly afterMs: number
}

function Answer({ answer, afterMs }: AnswerProps): ReactNode {
  const { by, approved, feedback, user_modified: isEdited, scope, content } = answer
  return (
    <div className={`answer ${approved ? 'good' : 'bad'}`}>
      <p>
        <strong>
          <Text>{by}</Text>
        </strong>{' '}
        {approved ? 'approved' : 'rejected'} it after {duration(afterMs)}
        {isEdited && ', with another input'}
        {scope !== 'once' && `, and for ${scope === 'always' ? 'all later calls like it' : 'the session'}`}.
      </p>
      {feedback !== undefined && feedback !== '' && (
        <blockquote className="prose">
          <Text>{feedback}</Text>
        </blockquote>
      )}
      {content !== undefined && <Json value={content} label="The answer" />}
    </div>
  )
}
