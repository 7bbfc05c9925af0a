import { type AppMetric, adminStatsRoutes } from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { adminQuery } from '../api/queries.ts'
import { Card, CurlButton, Screen } from '../shell/screen.tsx'
import { Chart } from '../ui/chart.tsx'
import { DataTable, defineColumns } from '../ui/data-table.tsx'
import { Empty, Loaded, Muted } from '../ui/states.tsx'
import styles from './screens.module.css'
import { type Stats, toSeries } from './stats-series.ts'

const route = getRouteApi('/signed-in/apps/$app/overview')
const { readStats } = adminStatsRoutes

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
    </Screen>
  )
}

const columns = defineColumns<{ label: string; values: number[] }>([
  { header: 'Kind', cell: ({ label }) => label },
  { header: 'Total', cell: ({ values }) => values.reduce((total, value) => total + value, 0) },
])

function MetricCard({ stats, metric, title }: { stats: Stats; metric: AppMetric; title: string }) {
  const { times, series } = useMemo(() => toSeries(stats, metric), [stats, metric])
  return (
    <Card title={title}>
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
}
