import { useState, type ReactNode } from 'react'
import { navigationPages, type Page } from '../pages.js'
import { Badge } from '../ui/badge.js'
import { Dialog } from '../ui/dialog.js'
import { Icon } from '../ui/icon.js'
import { useMedia } from '../ui/virtual-table.js'
import { useInboxCount } from './inbox-count.js'
import { Link } from './router.js'
import { hasRole, useSession } from './session.js'
import { ShellMenu } from './shell-menu.js'

const SHOWN_IN_BAR = 4

interface NavigationProps {
  readonly current: string
  readonly onKeys: () => void
}

/** At the left on a wide screen, at the lower edge on a narrow one. */
export function Navigation({ current, onKeys }: NavigationProps): ReactNode {
  const isNarrow = useMedia('(max-width: 719px)')
  const session = useSession()
  const [isMoreOpen, setMoreOpen] = useState(false)
  const pages = navigationPages.filter(({ roles }) => roles === undefined || hasRole(session, ...roles))
  const inBar = isNarrow ? pages.slice(0, SHOWN_IN_BAR) : pages
  const item = (page: Page): ReactNode => (
    <li key={page.path}>
      <NavigationLink page={page} isCurrent={current === page.path} onFollow={() => setMoreOpen(false)} />
    </li>
  )
  return (
    <nav className="navigation" aria-label="Pages">
      <Link to="/" className="brand">
        Toolcrib
      </Link>
      <ul>
        {inBar.map(item)}
        {isNarrow && (
          <li>
            <button type="button" className="navigation-link" onClick={() => setMoreOpen(true)}>
              <Icon name="more" />
              <span>More</span>
            </button>
          </li>
        )}
      </ul>
      {!isNarrow && <ShellMenu onKeys={onKeys} />}
      {isMoreOpen && (
        <Dialog title="More" onClose={() => setMoreOpen(false)}>
          <ul className="more-pages">{pages.slice(SHOWN_IN_BAR).map(item)}</ul>
          <ShellMenu
            onKeys={() => {
              setMoreOpen(false)
              onKeys()
            }}
          />
        </Dialog>
      )}
    </nav>
  )
}

interface NavigationLinkProps {
  readonly page: Page
  readonly isCurrent: boolean
  readonly onFollow: () => void
}

function NavigationLink({ page, isCurrent, onFollow }: NavigationLinkProps): ReactNode {
  return (
    <Link
      to={page.path}
      className="navigation-link"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onFollow}
    >
      {page.icon !== undefined && <Icon name={page.icon} />}
      <span>{page.title}</span>
      {page.path === '/inbox' && <InboxCount />}
    </Link>
  )
}

function InboxCount(): ReactNode {
  const count = useInboxCount()
  if (count === '' || count === '0') return null
  return (
    <Badge tone="warn">
      {count}
      <span className="visually-hidden"> waiting</span>
    </Badge>
  )
}
