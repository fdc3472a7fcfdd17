import type { ReactNode } from 'react'
import { hasRole, useSession } from '../../shell/session.js'
import { Empty } from '../../ui/empty.js'
import { PageHeader } from '../../ui/page-header.js'
import { Tabs, useTab, type Tab } from '../../ui/tabs.js'
import { ConfigPart } from './config-part.js'
import { SessionPart } from './session-part.js'
import { TokenList } from './token-list.js'
import './settings.css'

const TABS = [
  { name: 'session', title: 'Session' },
  { name: 'tokens', title: 'Tokens' },
  { name: 'config', title: 'Config' },
] as const satisfies readonly Tab<string>[]

/** Who is logged in, who else may come in, and the config file. */
export default function SettingsPage(): ReactNode {
  const tab = useTab<(typeof TABS)[number]['name']>(TABS)
  const session = useSession()
  return (
    <>
      <PageHeader title="Settings" />
      <Tabs label="Parts of the settings" tabs={TABS} current={tab} />
      {tab === 'session' && <SessionPart />}
      {tab === 'tokens' &&
        (hasRole(session, 'operator', 'auditor') ? <TokenList /> : <NotYours what="Tokens" />)}
      {tab === 'config' &&
        (hasRole(session, 'operator', 'auditor') ? <ConfigPart /> : <NotYours what="The config" />)}
    </>
  )
}

function NotYours({ what }: { readonly what: string }): ReactNode {
  return (
    <Empty title={`${what} ${what === 'Tokens' ? 'are' : 'is'} for operators`}>
      Your session has other roles. An operator changes this; an auditor can read it.
    </Empty>
  )
}
