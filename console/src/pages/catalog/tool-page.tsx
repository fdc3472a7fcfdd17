import type { ReactNode } from 'react'
import { getTool } from '../../api/client.js'
import type { ToolDetail } from '../../api/types.js'
import { useResource } from '../../live/use-resource.js'
import type { PageProps } from '../../pages.js'
import { Link } from '../../shell/router.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { Json } from '../../ui/json.js'
import { PageHeader } from '../../ui/page-header.js'
import { Tabs, useTab, type Tab } from '../../ui/tabs.js'
import { Text, visibleText } from '../../ui/text.js'
import { PendingChange } from './pending-change.js'
import { StateBadge } from './state-badge.js'
import { ToolAbout } from './tool-about.js'
import { ToolVersions } from './tool-versions.js'
import { TryTool } from './try-tool.js'
import './catalog.css'

/** One tool: what it takes and does, a form to call it, its versions, and what waits for acceptance. */
export default function ToolPage({ params }: PageProps): ReactNode {
  const id = params['tool'] ?? ''
  const {
    data: tool,
    error,
    refresh,
  } = useResource(`tool ${id}`, (signal) => getTool(id, signal), {
    events: { types: ['tool.declared', 'toolcrib.tool.', 'toolcrib.source.', 'toolcrib.config.'] },
  })
  return (
    <>
      <PageHeader
        title={visibleText(tool?.name ?? id)}
        note={
          tool && (
            <span className="tool-note">
              <StateBadge tool={tool} />
              {tool.title !== undefined && <Text>{tool.title}</Text>}
            </span>
          )
        }
      >
        <Link to="/catalog">All tools</Link>
      </PageHeader>
      {tool !== undefined ? (
        <Tool tool={tool} />
      ) : error === undefined ? (
        <Loading />
      ) : error.status === 404 ? (
        <Empty title="There is no such tool">
          <p>Its source may have removed it, or it is still connecting.</p>
          <Link to="/catalog">Show all tools</Link>
        </Empty>
      ) : (
        <div className="page-body">
          <ErrorBox error={error} onRetry={refresh} />
        </div>
      )}
    </>
  )
}

function Tool({ tool }: { readonly tool: ToolDetail }): ReactNode {
  const tabs = [
    { name: 'about', title: 'About' },
    { name: 'try', title: 'Try it' },
    { name: 'versions', title: `Versions (${tool.versions.length})` },
    { name: 'definition', title: 'Definition' },
  ] as const satisfies readonly Tab<string>[]
  const tab = useTab<(typeof tabs)[number]['name']>(tabs)
  return (
    <>
      <Tabs label="Parts of the tool" tabs={tabs} current={tab} />
      <div className="page-body">
        {tool.problem !== undefined && tool.change === undefined && (
          <p className="notice warn">
            <Text>{tool.problem}</Text>
          </p>
        )}
        {tool.change !== undefined && <PendingChange tool={tool} change={tool.change} />}
        {tab === 'about' && <ToolAbout tool={tool} />}
        {tab === 'try' && <TryTool tool={tool} />}
        {tab === 'versions' && <ToolVersions versions={tool.versions} change={tool.change} />}
        {tab === 'definition' && (
          <Json value={tool.declaration} label="The declaration of the tool" depth={3} />
        )}
      </div>
    </>
  )
}
