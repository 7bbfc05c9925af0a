import { type AdminProposal, adminProposalRoutes } from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { adminQuery } from '../api/queries.ts'
import { Action } from '../shell/action.tsx'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { useCan, useSession } from '../shell/session.ts'
import { DataTable, defineColumns } from '../ui/data-table.tsx'
import { Loaded, Muted, Time } from '../ui/states.tsx'
import { listChanges } from './approval-rules.ts'
import { ProposalStateBadge, proposalsRefreshMs } from './approvals.tsx'
import { formatJson } from './json.ts'
import styles from './screens.module.css'

const route = getRouteApi('/signed-in/apps/$app/approvals/$proposal')
const { getProposal, approveProposal, cancelProposal, applyProposal } = adminProposalRoutes

export function Proposal() {
  const params = route.useParams()
  const query = useQuery({ ...adminQuery(getProposal, { params }), refetchInterval: proposalsRefreshMs })
  return (
    <Loaded query={query}>{({ output }) => <Details proposal={output} nowMs={query.dataUpdatedAt} />}</Loaded>
  )
}

const Value = ({ value }: { value: unknown }) => <pre className={styles.code}>{formatJson(value)}</pre>

const columns = defineColumns<ReturnType<typeof listChanges>[number]>([
  { header: 'Setting', cell: ({ name }) => <code>{name}</code> },
  { header: 'Now', cell: ({ before }) => <Value value={before} /> },
  { header: 'Proposed', cell: ({ after }) => <Value value={after} /> },
])

const Decision = ({ operator, at }: { operator: string; at: string }) => (
  <>
    {operator}, <Time at={at} />
  </>
)

/** `nowMs` is the time of the answer, which is repeated while the proposal waits. */
function Details({ proposal, nowMs }: { proposal: AdminProposal; nowMs: number }) {
  const { appId, id, state, proposed, approved, appliesFrom, expiresAt, ended, note } = proposal
  const params = { app: appId, proposal: id }
  const isOpen = state === 'proposed' || state === 'approved'
  return (
    <Screen
      title={`Proposal: ${proposal.widens.join(', ')}`}
      lead={<code>{id}</code>}
      call={<CurlButton route={getProposal} input={{ params }} />}
    >
      <Card title="Decisions" isPadded>
        <Facts
          rows={[
            ['State', <ProposalStateBadge key="s" state={state} />],
            ['Proposed by', <Decision key="p" {...proposed} />],
            ['Note', note ?? <Muted>none</Muted>],
            ['Approved by', approved ? <Decision key="a" {...approved} /> : <Muted key="n">not yet</Muted>],
            ...(appliesFrom === null ? [] : ([['Applies from', <Time key="f" at={appliesFrom} />]] as const)),
            ...(isOpen ? ([['Expires', <Time key="e" at={expiresAt} />]] as const) : []),
            ...(ended
              ? ([
                  [state === 'applied' ? 'Applied by' : 'Cancelled by', <Decision key="d" {...ended} />],
                ] as const)
              : []),
          ]}
        />
        {isOpen && <Decide proposal={proposal} nowMs={nowMs} />}
      </Card>
      <Card title="Changes">
        <DataTable label="Changes" columns={columns} data={listChanges(proposal)} empty={undefined} />
      </Card>
    </Screen>
  )
}

function Decide({ proposal, nowMs }: { proposal: AdminProposal; nowMs: number }) {
  const can = useCan()
  const { email } = useSession()
  const { appId, id, state, proposed, appliesFrom } = proposal
  const params = { app: appId, proposal: id }
  const isOwn = proposed.operator === email.toLowerCase()
  const isWaiting = appliesFrom !== null && Date.parse(appliesFrom) > nowMs
  return (
    <div className={styles.row}>
      {state === 'proposed' && isOwn && <Muted>Another operator must approve this proposal.</Muted>}
      {state === 'proposed' && !isOwn && can('approvals:agree') && (
        <Action
          label="Approve"
          title="Approve this change?"
          description="It gives pages, approvals or logins more rights. It can be applied 24 hours later, and cancelled until then."
          verb="Approve"
          isDangerous
          route={approveProposal}
          input={{ params }}
        />
      )}
      {state === 'approved' && isWaiting && <Muted>The waiting time is not over.</Muted>}
      {state === 'approved' && !isWaiting && can('approvals:propose', 'approvals:agree') && (
        <Action
          label="Apply"
          title="Apply this change?"
          description="It holds for all users of the app at once."
          verb="Apply"
          isDangerous
          route={applyProposal}
          input={{ params }}
        />
      )}
      {can('approvals:propose', 'approvals:agree') && (
        <Action
          label="Cancel the proposal"
          title="Cancel this proposal?"
          description="The app stays as it is. The change can be proposed again."
          verb="Cancel the proposal"
          route={cancelProposal}
          input={{ params }}
        />
      )}
    </div>
  )
}
