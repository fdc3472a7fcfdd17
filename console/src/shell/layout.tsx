import { useEffect, useRef, useState, type ReactNode } from 'react'
import { navigationPages } from '../pages.js'
import { ConnectionBar } from './connection.js'
import { useKeys, type KeyBinding } from './keys.js'
import { KeysDialog } from './keys-dialog.js'
import { Navigation } from './navigation.js'
import { navigate, useAddress } from './router.js'

/** The navigation and the page, for somebody who is logged in. */
export function Layout({
  current,
  children,
}: {
  readonly current: string
  readonly children: ReactNode
}): ReactNode {
  const [areKeysShown, setKeysShown] = useState(false)
  const { path } = useAddress()
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useKeys(globalKeys(() => setKeysShown(true)))
  // A screen reader reads on from the new page, not from the link that led to it.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [path])
  return (
    <div className="layout">
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <Navigation current={current} onKeys={() => setKeysShown(true)} />
      <main id="main" ref={main} tabIndex={-1}>
        <ConnectionBar />
        {children}
      </main>
      {areKeysShown && <KeysDialog onClose={() => setKeysShown(false)} />}
    </div>
  )
}

function globalKeys(onKeys: () => void): readonly KeyBinding[] {
  return [
    ...navigationPages.map(({ key, title, path }) => ({
      keys: `g ${key}`,
      label: title,
      group: 'Go to',
      run: () => navigate(path),
    })),
    { keys: '/', label: 'Search or filter', group: 'Everywhere', run: focusSearch },
    { keys: '?', label: 'Show the keys', group: 'Everywhere', run: onKeys },
  ]
}

/** The search field of a page has the attribute `data-search`. */
function focusSearch(): void {
  const field = document.querySelector<HTMLElement>('main [data-search]')
  field?.focus()
  if (field instanceof HTMLInputElement) field.select()
}
