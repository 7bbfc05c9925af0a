import {
  type AdminImport,
  adminImportRoutes,
  type ImportSource,
  type ImportState,
  importSources,
} from '@latchkey/protocol/admin'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { adminPages } from '../api/queries.ts'
import { Action } from '../shell/action.tsx'
import { Card, CurlButton, Screen } from '../shell/screen.tsx'
import { defineColumns, PagedTable } from '../ui/data-table.tsx'
import { SelectField, Switch } from '../ui/fields.tsx'
import { Badge, Time } from '../ui/states.tsx'
import styles from './screens.module.css'

const route = getRouteApi('/signed-in/apps/$app/imports')
const { listImports, createImport } = adminImportRoutes

export const importsRefreshMs = 2_000

const stateTones = {
  open: 'warning',
  running: 'warning',
  finished: 'good',
  cancelled: 'plain',
  failed: 'bad',
} as const satisfies Record<ImportState, string>

export const ImportStateBadge = ({ state, dryRun }: Pick<AdminImport, 'state' | 'dryRun'>) => (
  <span className={styles.row}>
    <Badge tone={stateTones[state]}>{state}</Badge>
    {dryRun && <Badge>dry run</Badge>}
  </span>
)

const counts = new Intl.NumberFormat('en')
export const formatCount = (count: number) => counts.format(count)

export function ImportProgress({ done, records }: Pick<AdminImport, 'done' | 'records'>) {
  const text = `${formatCount(done)} of ${formatCount(records)}`
  return (
    <span className={styles.progress}>
      <progress value={done} max={Math.max(records, 1)} aria-label="Records done" />
      {text}
    </span>
  )
}

const columns = defineColumns<AdminImport>([
  {
    header: 'Import',
    cell: ({ id, appId, source }) => (
      <Link to="/apps/$app/imports/$import" params={{ app: appId, import: id }}>
        {source}
      </Link>
    ),
  },
  { header: 'State', cell: (each) => <ImportStateBadge state={each.state} dryRun={each.dryRun} /> },
  { header: 'Records', cell: ({ done, records }) => <ImportProgress done={done} records={records} /> },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
])

export function Imports() {
  const { app } = route.useParams()
  const input = { query: { app, limit: '50' } }
  const query = useInfiniteQuery({
    ...adminPages(listImports, input),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ output }) => output.data.some(({ state }) => state === 'running'))
        ? importsRefreshMs
        : false,
  })
  return (
    <Screen
      title="Imports"
      lead="Users of another system. Their first login proves the account."
      call={<CurlButton route={listImports} input={input} />}
      actions={<CreateImport app={app} />}
    >
      <Card>
        <PagedTable label="Imports" query={query} columns={columns} empty="There are no imports" />
      </Card>
    </Screen>
  )
}

const sourceNames: Readonly<Record<ImportSource, string>> = {
  latchkey: 'Latchkey (an export)',
  csv: 'CSV',
  auth0: 'Auth0',
  clerk: 'Clerk',
  firebase: 'Firebase',
  supabase: 'Supabase',
  privy: 'Privy',
  dynamic: 'Dynamic',
}

function CreateImport({ app }: { app: string }) {
  const navigate = route.useNavigate()
  const [source, setSource] = useState<ImportSource>('csv')
  const [dryRun, setDryRun] = useState(true)
  return (
    <Action
      label="New import"
      title="Import users"
      description="Upload the file on the next screen. Nothing is imported until you start it."
      verb="Create"
      route={createImport}
      input={{ body: { app, source, dryRun } }}
      onDone={({ output }) =>
        navigate({ to: '/apps/$app/imports/$import', params: { app, import: output.id } })
      }
    >
      <SelectField
        label="Source"
        options={importSources.map((each) => [each, sourceNames[each]])}
        value={source}
        onChange={({ target }) => setSource(target.value as ImportSource)}
      />
      <Switch
        label="Dry run: report only, change no user"
        checked={dryRun}
        onChange={({ target }) => setDryRun(target.checked)}
      />
    </Action>
  )
}
