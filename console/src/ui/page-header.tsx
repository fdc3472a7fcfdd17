import type { ReactNode } from 'react'
import { useTitle } from '../shell/inbox-count.js'

interface PageHeaderProps {
  readonly title: string
  /** One short sentence or a count, beside the title. */
  readonly note?: ReactNode
  /** Filters and buttons, at the right. */
  readonly children?: ReactNode
}

/** The first thing on every page; it also sets the title of the tab. */
export function PageHeader({ title, note, children }: PageHeaderProps): ReactNode {
  useTitle(title)
  return (
    <header className="page-header">
      <h1>{title}</h1>
      {note !== undefined && <p className="muted">{note}</p>}
      {children !== undefined && <div className="page-tools">{children}</div>}
    </header>
  )
}
