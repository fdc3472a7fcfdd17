import type { ReactNode } from 'react'
import { Icon, type IconName } from '../ui/icon.js'
import { showToast } from '../ui/toast.js'
import { Connection } from './connection.js'
import { logOut, useSession } from './session.js'
import { setTheme, useTheme, type Theme } from './theme.js'

/** The connection, who is logged in, the theme and the keys. */
export function ShellMenu({ onKeys }: { readonly onKeys: () => void }): ReactNode {
  const session = useSession()
  const leave = (): void => {
    logOut().catch((error: unknown) => showToast({ text: String(error), tone: 'bad' }))
  }
  return (
    <div className="shell-menu">
      <Connection />
      <div className="shell-person">
        <span className="cut" title={`${session.actor} in ${session.tenant}: ${session.roles.join(', ')}`}>
          {session.person ?? session.actor}
        </span>
        <button type="button" className="link-button" onClick={leave}>
          Log out
        </button>
      </div>
      <div className="shell-tools">
        <ThemeSwitch />
        <button type="button" className="icon-button" aria-label="Keys" title="Keys (?)" onClick={onKeys}>
          <Icon name="keyboard" />
        </button>
      </div>
    </div>
  )
}

const THEMES: readonly { theme: Theme; icon: IconName; label: string }[] = [
  { theme: 'system', icon: 'screen', label: 'Like the system' },
  { theme: 'light', icon: 'sun', label: 'Light' },
  { theme: 'dark', icon: 'moon', label: 'Dark' },
]

function ThemeSwitch(): ReactNode {
  const current = useTheme()
  return (
    <div className="segments" role="group" aria-label="Theme">
      {THEMES.map(({ theme, icon, label }) => (
        <button
          key={theme}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={theme === current}
          onClick={() => setTheme(theme)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  )
}
