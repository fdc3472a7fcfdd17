import type { ReactNode } from 'react'
import type { Role } from '../../api/types.js'
import { useAction } from '../../live/use-action.js'
import { logOut, useSession } from '../../shell/session.js'
import { ErrorBox } from '../../ui/error-box.js'
import { Fields } from '../../ui/fields.js'
import { Text } from '../../ui/text.js'
import { Time } from '../../ui/time.js'

/** What each role may do. */
export const ROLES: Readonly<Record<Role, string>> = {
  caller: 'calls the tools of its surface, and sees its own calls',
  reviewer: 'answers approvals, and reads the records',
  operator: 'reads everything; changes sources, rules, the config and tokens; cancels and deletes',
  auditor: 'reads everything, and changes nothing',
}

export function SessionPart(): ReactNode {
  const session = useSession()
  const action = useAction()
  return (
    <div className="page-body">
      <section className="section" aria-labelledby="who">
        <h2 id="who">You</h2>
        <Fields
          rows={[
            ['Name', session.person === undefined ? undefined : <Text key="person">{session.person}</Text>],
            ['Actor', <Text key="actor">{session.actor}</Text>],
            ['Tenant', <Text key="tenant">{session.tenant}</Text>],
            ['Surface', session.surface === undefined ? undefined : <Text key="s">{session.surface}</Text>],
            [
              'Session ends',
              session.expires_at === undefined ? undefined : <Time key="e" at={session.expires_at} />,
            ],
          ]}
        />
        <ErrorBox error={action.error} />
        <div className="actions">
          <button
            type="button"
            className="button"
            disabled={action.isBusy}
            onClick={() => action.run(logOut)}
          >
            Log out
          </button>
        </div>
      </section>
      <section className="section" aria-labelledby="roles">
        <h2 id="roles">Your roles</h2>
        <Fields rows={session.roles.map((role) => [role, ROLES[role]])} />
      </section>
      <section className="section" aria-labelledby="server">
        <h2 id="server">Server</h2>
        <Fields
          rows={[
            ['Version', session.version],
            ['Address', <code key="url">{session.server.url}</code>],
            ['Started', <Time key="started" at={session.server.started_at} />],
          ]}
        />
      </section>
    </div>
  )
}
