import { adminStatsRoutes } from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { adminQuery } from '../api/queries.ts'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { DataTable, defineColumns } from '../ui/data-table.tsx'
import { Badge, Empty, Loaded, Muted, Time } from '../ui/states.tsx'

const { readSystem } = adminStatsRoutes

type Provider = {
  variable: string
  host: string
  isReachable: boolean
  problem: string | null
  checkedAt: string
}

const providerColumns = defineColumns<Provider>([
  { header: 'Variable', cell: ({ variable }) => <code>{variable}</code> },
  { header: 'Host', cell: ({ host }) => host },
  {
    header: 'State',
    cell: ({ isReachable, problem }) =>
      isReachable ? (
        <Badge tone="good">reachable</Badge>
      ) : (
        <Badge tone="bad">{problem ?? 'unreachable'}</Badge>
      ),
  },
  { header: 'Checked', cell: ({ checkedAt }) => <Time at={checkedAt} /> },
])

const keyColumns = defineColumns<{ purpose: string; createdAt: string }>([
  { header: 'Purpose', cell: ({ purpose }) => purpose },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
])

export function System() {
  const query = useQuery(adminQuery(readSystem, {}))
  return (
    <Screen title="System" call={<CurlButton route={readSystem} input={{}} />}>
      <Loaded query={query}>
        {({ output: { release, startedAt, migrations, servers, keys, webhooks, providers, pages } }) => (
          <>
            <Card title="Server" isPadded>
              <Facts
                rows={[
                  ['Release', `${release.version} (${release.commit.slice(0, 12)})`],
                  ['Started', <Time key="s" at={startedAt} />],
                  ['Processes', servers.join(', ') || <Muted>none</Muted>],
                  [
                    'Migrations',
                    migrations.missing.length === 0 ? (
                      `${migrations.done} done`
                    ) : (
                      <Badge key="m" tone="warning">
                        missing: {migrations.missing.join(', ')}
                      </Badge>
                    ),
                  ],
                  ['Dialog page', <code key="d">{pages.dialog ?? 'not built'}</code>],
                  ['Wallet page', <code key="w">{pages.wallet ?? 'not built'}</code>],
                ]}
              />
            </Card>
            <Card title="Webhook queue" isPadded>
              <Facts
                rows={[
                  ['Pending', webhooks.pending],
                  [
                    'Oldest due',
                    webhooks.oldestDueAt === null ? 'none' : <Time key="o" at={webhooks.oldestDueAt} />,
                  ],
                  ['Paused endpoints', webhooks.pausedWebhooks],
                ]}
              />
            </Card>
            <Card title="Providers">
              <DataTable
                label="Providers"
                columns={providerColumns}
                data={providers}
                empty={<Empty title="No provider is configured" />}
              />
            </Card>
            <Card title="Keys">
              <DataTable
                label="Keys"
                columns={keyColumns}
                data={keys}
                empty={<Empty title="There are no keys" />}
              />
            </Card>
          </>
        )}
      </Loaded>
    </Screen>
  )
}
