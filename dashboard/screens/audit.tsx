import { type AdminAuditObject, adminRoutes, auditRoutes } from '@latchkey/protocol/admin'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { CallInput } from '../api/call.ts'
import { adminPages } from '../api/queries.ts'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { Button } from '../ui/button.tsx'
import { defineColumns, PagedTable } from '../ui/data-table.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { Modal } from '../ui/modal.tsx'
import { Badge, Muted, Time } from '../ui/states.tsx'
import styles from './screens.module.css'

const route = getRouteApi('/signed-in/apps/$app/audit')
const { listAudit } = auditRoutes

const events = [
  '',
  ...Object.keys(adminRoutes),
  'operator.joined',
  'operator.signed_in',
  'operator.signed_out',
  'operator.signed_out_by_provider',
  'operator.role_lost',
  'operator.admitted',
  'operator.oidc_set',
  'operator.oidc_removed',
  'operator.passkey_added',
  'operator.passkey_removed',
]

export function Audit() {
  const { app } = route.useParams()
  const { event, user } = route.useSearch()
  const navigate = route.useNavigate()
  const [opened, setOpened] = useState<AdminAuditObject>()
  const input = { query: { app, event, user, limit: '50' } } as CallInput<typeof listAudit>
  const query = useInfiniteQuery(adminPages(listAudit, input))
  const columns = defineColumns<AdminAuditObject>([
    { header: 'Time', cell: ({ at }) => <Time at={at} /> },
    { header: 'Caller', cell: ({ actor }) => actor.replace(/^operator:/, '') },
    { header: 'Call', cell: (entry) => entry.event },
    {
      header: 'User',
      cell: ({ userId }) =>
        userId !== null && (
          <Link to="/apps/$app/users/$user" params={{ app, user: userId }}>
            {userId.slice(0, 8)}…
          </Link>
        ),
    },
    {
      header: 'Result',
      cell: ({ result }) => (
        <Badge tone={result === 'ok' || result === 'replayed' ? 'good' : 'bad'}>{result}</Badge>
      ),
    },
    {
      header: '',
      cell: (entry) => (
        <Button kind="text" onClick={() => setOpened(entry)}>
          Details
        </Button>
      ),
    },
  ])
  return (
    <Screen
      title="Audit log"
      lead="Every call of this app by operators, keys and commands, in a chain of hashes."
      call={<CurlButton route={listAudit} input={input} />}
    >
      <Card>
        <div className={styles.cardFilters}>
          <SelectField
            label="Call"
            options={events.map((each) => [each, each === '' ? 'All calls' : each])}
            value={event ?? ''}
            onChange={({ target }) =>
              navigate({ search: { user, event: target.value === '' ? undefined : target.value } })
            }
          />
          <TextField
            key={user}
            label="User id"
            defaultValue={user ?? ''}
            onKeyDown={({ key, currentTarget }) => {
              const id = currentTarget.value.trim()
              if (key === 'Enter') navigate({ search: { event, user: id === '' ? undefined : id } })
            }}
          />
          {(event ?? user) !== undefined && (
            <Button kind="text" onClick={() => navigate({ search: {} })}>
              Clear filters
            </Button>
          )}
        </div>
        <PagedTable label="Audit log" query={query} columns={columns} empty="There are no entries" />
      </Card>
      {opened && <Entry entry={opened} onClose={() => setOpened(undefined)} />}
    </Screen>
  )
}

const Entry = ({ entry, onClose }: { entry: AdminAuditObject; onClose: () => void }) => (
  <Modal
    isOpen
    onOpenChange={onClose}
    title={`${entry.event} · entry ${entry.sequence}`}
    buttons={<Button onClick={onClose}>Close</Button>}
  >
    <Facts
      rows={[
        ['Time', entry.at],
        ['Caller', entry.actor],
        ['Scope', entry.scope || <Muted>none</Muted>],
        ['Result', `${entry.result} (${entry.status})`],
        ['Target', entry.target ?? <Muted>none</Muted>],
        ['Request id', entry.requestId || <Muted>none</Muted>],
        ['Address', entry.address ?? <Muted>not stored</Muted>],
        ['Before', <code key="b">{entry.beforeDigest ?? '–'}</code>],
        ['After', <code key="a">{entry.afterDigest ?? '–'}</code>],
        ['Hash', <code key="h">{entry.hash}</code>],
      ]}
    />
  </Modal>
)
