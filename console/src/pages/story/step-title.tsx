import type { ReactNode } from 'react'

interface StepTitleProps {
  readonly children: ReactNode
  /** What stands beside it, in a lighter tone. */
  readonly note?: ReactNode
}

/** The sentence of a step. */
export function StepTitle({ children, note }: StepTitleProps): ReactNode {
  return (
    <div className="step-title">
      <h3>{children}</h3>
      {note !== undefined && <span className="muted">{note}</span>}
    </div>
  )
}

interface MoreProps {
  readonly summary: ReactNode
  readonly children: ReactNode
  readonly isOpen?: boolean
}

/** Details of a step, closed at first. */
export function More({ summary, children, isOpen = false }: MoreProps): ReactNode {
  return (
    <details className="more" open={isOpen}>
      <summary>{summary}</summary>
      <div className="more-body">{children}</div>
    </details>
  )
}
