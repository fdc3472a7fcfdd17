import { useMemo, type ReactNode } from 'react'
import type { CallStory } from '../../api/types.js'
import { clockTime, duration, useExactTimes } from '../../ui/time.js'
import { buildSteps, type Step } from './build-steps.js'
import { AskedStep, HookStep, MutationStep, ReadyStep } from './input-steps.js'
import { ApprovalStep, DecisionStep } from './decision-steps.js'
import { EventStep, OpenStep, ProgressStep, RunStep, WaitStep } from './run-steps.js'
import { ResultStep, StoredStep } from './result-step.js'

/** The call from the model's input to its result, in the order of its events. */
export function Timeline({ story }: { readonly story: CallStory }): ReactNode {
  const steps = useMemo(() => buildSteps(story), [story])
  const start = Date.parse(story.invocation.created_at)
  const isExact = useExactTimes()
  return (
    <ol className="timeline">
      {steps.map((step) => (
        <li key={step.key} className={`step ${step.tone} ${step.kind}`}>
          <span className="step-time" title={new Date(step.at).toLocaleString()}>
            {step.kind === 'open' ? 'now' : isExact ? clockTime(step.at) : offset(step.at - start)}
          </span>
          <span className="step-dot" aria-hidden="true" />
          <div className="step-body">
            <StepView step={step} story={story} />
          </div>
        </li>
      ))}
    </ol>
  )
}

function offset(ms: number): string {
  return ms <= 0 ? '0 ms' : `+${duration(ms)}`
}

function StepView({ step, story }: { readonly step: Step; readonly story: CallStory }): ReactNode {
  switch (step.kind) {
    case 'asked':
      return <AskedStep story={story} />
    case 'ready':
      return <ReadyStep story={story} />
    case 'mutation':
      return <MutationStep mutation={step.mutation} lines={step.lines} story={story} />
    case 'hook':
      return <HookStep hook={step.hook} />
    case 'decision':
      return (
        <DecisionStep decision={step.decision} explained={step.isExplained ? story.explained : undefined} />
      )
    case 'approval':
      return <ApprovalStep approval={step.approval} />
    case 'wait':
      return <WaitStep {...step} story={story} />
    case 'run':
      return <RunStep {...step} />
    case 'progress':
      return <ProgressStep count={step.count} items={step.items} isOpen={story.result === undefined} />
    case 'event':
      return <EventStep event={step.event} />
    case 'stored':
      return <StoredStep story={story} />
    case 'result':
      return <ResultStep story={story} />
    case 'open':
      return <OpenStep story={story} />
  }
}
