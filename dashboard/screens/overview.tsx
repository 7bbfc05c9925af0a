import {
  type AdminRouteOutput,
  type AppMetric,
  adminSponsoredRoutes,
  adminStatsRoutes,
} from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { adminQuery } from '../api/queries.ts'
import { Card, CurlButton, Screen } from '../shell/screen.tsx'
import { Chart } from '../ui/chart.tsx'
import { DataTable, defineColumns } from '../ui/data-table.tsx'
import { Empty, Loaded, Muted } from '../ui/states.tsx'
import styles from './screens.module.css'
import { type Stats, toSeries } from './stats-series.ts'

const route = getRouteApi('/signed-in/apps/$app/overview')
const { readStats } = adminStatsRoutes
const { readSponsored } = adminSponsoredRoutes

const titles: Readonly<Record<AppMetric, string>> = {
  logins: 'Logins',
  new_users: 'New users',
  codes_sent: 'Codes sent',
  codes_right: 'Codes right',
  wallets_created: 'Wallets created',
  signatures: 'Signatures',
}
const metrics = Object.keys(titles) as AppMetric[]

const sum = ({ data }: Stats, metric: AppMetric) =>
  data.reduce((total, row) => total + (row.metric === metric ? row.count : 0), 0)

export function Overview() {
  const params = route.useParams()
  const input = { params, query: { bucket: '1d' as const } }
  const query = useQuery(adminQuery(readStats, input))
  return (
    <Screen
      title="Overview"
      lead="The last 7 days, by day in UTC."
      call={<CurlButton route={readStats} input={input} />}
    >
      <Loaded query={query}>
        {({ output }) => (
          <>
            <div className={styles.numbers}>
              {metrics.map((metric) => (
                <div key={metric} className={styles.number}>
                  <Muted>{titles[metric]}</Muted>
                  <strong>{sum(output, metric)}</strong>
                </div>
              ))}
            </div>
            <MetricCard stats={output} metric="logins" title="Logins by method" />
            <MetricCard stats={output} metric="signatures" title="Signatures by place" />
          </>
        )}
      </Loaded>
      <SponsoredFees app={params.app} />
    </Screen>
  )
}

/** Sums of dollars have more digits than cents. */
const round = (sum: number) => Math.round(sum * 100) / 100

const columns = defineColumns<{ label: string; values: number[] }>([
  { header: 'Kind', cell: ({ label }) => label },
  { header: 'Total', cell: ({ values }) => round(values.reduce((total, value) => total + value, 0)) },
])

function MetricCard({ stats, metric, title }: { stats: Stats; metric: AppMetric; title: string }) {
  const charted = useMemo(
    () =>
      toSeries(
        stats,
        stats.data.filter((row) => row.metric === metric),
      ),
    [stats, metric],
  )
  return <SeriesCard title={title} charted={charted} />
}

type SeriesCardProps = { title: string; charted: ReturnType<typeof toSeries>; actions?: ReactNode }

const SeriesCard = ({ title, charted: { times, series }, actions }: SeriesCardProps) => (
  <Card title={title} actions={actions}>
    {series.length === 0 ? (
      <Empty title="There were none" />
    ) : (
      <>
        <div className={styles.chart}>
          <Chart times={times} series={series} />
        </div>
        <DataTable label={title} columns={columns} data={series} empty={undefined} />
      </>
    )}
  </Card>
)

type Sponsored = AdminRouteOutput<typeof readSponsored>

/** The fees that the server paid for users. Most apps pay none. */
function SponsoredFees({ app }: { app: string }) {
  const input = { params: { app } }
  const query = useQuery(adminQuery(readSponsored, input))
  const curl = <CurlButton route={readSponsored} input={input} />
  return (
    <Loaded query={query}>
      {({ output }) =>
        output.chains.length === 0 && output.data.length === 0 ? (
          <Card title="Sponsored fees" actions={curl}>
            <Empty title="The server pays no fees for this app">
              The settings sponsored_chains and sponsored_clusters list the networks whose fees it pays.
            </Empty>
          </Card>
        ) : (
          <>
            <SponsoredLimit sponsored={output} />
            <SponsoredChart sponsored={output} actions={curl} />
          </>
        )
      }
    </Loaded>
  )
}

function SponsoredChart({ sponsored, actions }: { sponsored: Sponsored; actions: ReactNode }) {
  const charted = useMemo(
    () =>
      toSeries(
        sponsored,
        sponsored.data.map(({ chainId, at, usd }) => ({ by: nameChain(chainId), at, count: Number(usd) })),
      ),
    [sponsored],
  )
  return <SeriesCard title="Sponsored fees in US dollars" charted={charted} actions={actions} />
}

const nameChain = (chainId: string) =>
  chainId.startsWith('solana:') ? `Solana ${chainId.slice('solana:'.length)}` : `Chain ${chainId}`

function SponsoredLimit({ sponsored }: { sponsored: Sponsored }) {
  const { limit, pending, data } = sponsored
  const total = (name: 'operations' | 'failed') => data.reduce((sum, row) => sum + row[name], 0)
  return (
    <div className={styles.numbers}>
      {[
        [`Left of ${limit.usdPerDay} USD a day`, limit.leftUsd],
        ['Fees of 24 hours', limit.spentUsd],
        ['Sponsored operations', total('operations')],
        ['Failed operations', total('failed')],
        ['In no block yet', pending],
      ].map(([name, value]) => (
        <div key={name} className={styles.number}>
          <Muted>{name}</Muted>
          <strong>{value}</strong>
        </div>
      ))}
    </div>
  )
}
