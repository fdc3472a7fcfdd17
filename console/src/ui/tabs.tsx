import type { ReactNode } from 'react'
import { Link, useAddress } from '../shell/router.js'
import './tabs.css'

export interface Tab<Name extends string> {
  readonly name: Name
  readonly title: ReactNode
}

/** The part of a page that the address names by `tab`; the first one where it names none. */
export function useTab<Name extends string>(tabs: readonly [Tab<Name>, ...Tab<Name>[]]): Name {
  const { query } = useAddress()
  return tabs.find(({ name }) => name === query.get('tab'))?.name ?? tabs[0].name
}

interface TabsProps<Name extends string> {
  readonly label: string
  readonly tabs: readonly Tab<Name>[]
  readonly current: Name
}

/** Links between the parts of a page. */
export function Tabs<Name extends string>({ label, tabs, current }: TabsProps<Name>): ReactNode {
  const { path } = useAddress()
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ name, title }, index) => (
        <Link
          key={name}
          to={index === 0 ? path : `${path}?tab=${name}`}
          aria-current={name === current ? 'true' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
