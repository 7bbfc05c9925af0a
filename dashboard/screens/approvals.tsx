import {
  type AdminProposal,
  adminAppRoutes,
  adminProposalRoutes,
  type ProposalState,
} from '@latchkey/protocol/admin'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { adminPages, adminQuery } from '../api/queries.ts'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { useCan } from '../shell/session.ts'
import { defineColumns, PagedTable } from '../ui/data-table.tsx'
import { SelectField, TextArea } from '../ui/fields.tsx'
import { Badge, Loaded, Time } from '../ui/states.tsx'
import { approvalSentences } from './approval-rules.ts'
import { formatJson, parseJson } from './json.ts'
import { Propose } from './propose.tsx'
import { TryApproval } from './try-approval.tsx'

const route = getRouteApi('/signed-in/apps/$app/approvals')
const { getApp } = adminAppRoutes
const { listProposals } = adminProposalRoutes

/** Other operators decide, so proposals are read again while a screen shows them. */
export const proposalsRefreshMs = 10_000

const stateTones = {
  proposed: 'warning',
  approved: 'warning',
  applied: 'good',
  cancelled: 'plain',
  expired: 'plain',
} as const satisfies Record<ProposalState, string>

export const ProposalStateBadge = ({ state }: Pick<AdminProposal, 'state'>) => (
  <Badge tone={stateTones[state]}>{state}</Badge>
)

const columns = defineColumns<AdminProposal>([
  {
    header: 'Change',
    cell: ({ id, appId, widens }) => (
      <Link to="/apps/$app/approvals/$proposal" params={{ app: appId, proposal: id }}>
        {widens.join(', ')}
      </Link>
    ),
  },
  { header: 'State', cell: (proposal) => <ProposalStateBadge state={proposal.state} /> },
  { header: 'Proposed by', cell: ({ proposed }) => proposed.operator },
  { header: 'Proposed', cell: ({ proposed }) => <Time at={proposed.at} /> },
])

export function Approvals() {
  const { app } = route.useParams()
  const can = useCan()
  const appQuery = useQuery(adminQuery(getApp, { params: { app } }))
  const input = { params: { app }, query: { limit: '50' } }
  const query = useInfiniteQuery({
    ...adminPages(listProposals, input),
    refetchInterval: proposalsRefreshMs,
  })
  return (
    <Screen
      title="Approvals"
      lead="Which signatures need which screen. A change that allows more needs two operators and 24 hours."
      call={<CurlButton route={listProposals} input={input} />}
      actions={
        can('approvals:propose') &&
        appQuery.data && <ProposeSetting app={app} current={appQuery.data.output.settings} />
      }
    >
      <Card title="Rules" isPadded>
        <Loaded query={appQuery}>
          {({ output }) => <Facts rows={approvalSentences(output.settings)} />}
        </Loaded>
      </Card>
      <Card title="Proposals">
        <PagedTable label="Proposals" query={query} columns={columns} empty="There are no proposals" />
      </Card>
      <TryApproval key={app} app={app} />
    </Screen>
  )
}

const firstSetting = 'frame_messages_per_day'

function ProposeSetting({ app, current }: { app: string; current: Readonly<Record<string, unknown>> }) {
  const [name, setName] = useState(firstSetting)
  const [text, setText] = useState(() => formatJson(current[firstSetting] ?? null))
  const parsed = parseJson(text)
  return (
    <Propose
      app={app}
      label="Propose a change"
      isDisabled={parsed === undefined}
      settings={{ [name]: parsed?.value }}
    >
      <SelectField
        label="Setting"
        options={Object.keys(current)
          .sort()
          .map((each) => [each, each])}
        value={name}
        onChange={({ target }) => {
          setName(target.value)
          setText(formatJson(current[target.value] ?? null))
        }}
      />
      <TextArea
        label="New value"
        hint="As JSON. The current value is filled in."
        value={text}
        onChange={({ target }) => setText(target.value)}
        problem={parsed === undefined ? 'This is no JSON' : undefined}
      />
    </Propose>
  )
}
