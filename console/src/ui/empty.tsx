import type { ReactNode } from 'react'

interface EmptyProps {
  readonly title: string
  /** What this page shows, and what fills it. */
  readonly children?: ReactNode
  /** A command that fills it. */
  readonly command?: string
}

export function Empty({ title, children, command }: EmptyProps): ReactNode {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children !== undefined && <div className="empty-text">{children}</div>}
      {command !== undefined && <pre className="command">{command}</pre>}
    </div>
  )
}

/** A page or part whose data is under way. It shows only after a moment: most answers are faster. */
export function Loading({ label = 'Loading' }: { readonly label?: string }): ReactNode {
  return (
    <p className="loading" role="status">
      {label}…
    </p>
  )
}
