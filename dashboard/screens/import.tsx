import {
  type AdminImport,
  type AdminImportRow,
  adminImportRoutes,
  adminLimits,
  type ImportResult,
  importOmissions,
  importReasons,
  importResults,
} from '@latchkey/protocol/admin'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { CallInput } from '../api/call.ts'
import { adminQuery, adminStreamPages } from '../api/queries.ts'
import { Action } from '../shell/action.tsx'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { defineColumns, PagedTable } from '../ui/data-table.tsx'
import { SelectField, TextField } from '../ui/fields.tsx'
import { Badge, Loaded, Muted, Time } from '../ui/states.tsx'
import { formatCount, ImportProgress, ImportStateBadge, importsRefreshMs } from './imports.tsx'
import styles from './screens.module.css'

const route = getRouteApi('/signed-in/apps/$app/imports/$import')
const { getImport, uploadImportPart, startImport, cancelImport, readImportReport } = adminImportRoutes

export function Import() {
  const { import: id } = route.useParams()
  const query = useQuery({
    ...adminQuery(getImport, { params: { import: id } }),
    refetchInterval: ({ state: { data } }) => (data?.output.state === 'running' ? importsRefreshMs : false),
  })
  return <Loaded query={query}>{({ output }) => <Details job={output} />}</Loaded>
}

type JobProps = { job: AdminImport }

function Details({ job }: JobProps) {
  const params = { import: job.id }
  const isEnded = job.state === 'finished' || job.state === 'cancelled'
  return (
    <Screen
      title={`Import from ${job.source}`}
      lead={<code>{job.id}</code>}
      call={<CurlButton route={getImport} input={{ params }} />}
      actions={
        !isEnded && (
          <Action
            label="Cancel"
            title="Cancel this import?"
            description="Its remaining records are deleted. Imported users stay."
            verb="Cancel import"
            isDangerous
            route={cancelImport}
            input={{ params }}
          />
        )
      }
    >
      <Card title="Progress" isPadded>
        <Facts
          rows={[
            ['State', <ImportStateBadge key="s" state={job.state} dryRun={job.dryRun} />],
            ['Records', <ImportProgress key="p" done={job.done} records={job.records} />],
            ['Created', formatCount(job.created)],
            ['Merged', formatCount(job.merged)],
            ['Conflicts', formatCount(job.conflicts)],
            ['Skipped', formatCount(job.skipped)],
            ['Started', <Time key="b" at={job.startedAt} />],
            ...(isEnded ? ([['Ended', <Time key="e" at={job.endedAt} />]] as const) : []),
          ]}
        />
        {(job.state === 'open' || job.state === 'failed') && (
          <div className={styles.row}>
            {job.state === 'open' && <Upload key={job.parts} job={job} />}
            {job.records > 0 && (
              <Action
                label={job.state === 'failed' ? 'Continue' : 'Start'}
                title={job.dryRun ? 'Start the dry run?' : 'Start this import?'}
                description={
                  job.dryRun
                    ? 'It reports what an import would do, and changes no user.'
                    : 'Users are created at once. Their first login proves the account.'
                }
                verb="Start"
                route={startImport}
                input={{ params }}
              />
            )}
          </div>
        )}
      </Card>
      {/* Another state reads the report once more. */}
      <Report key={job.state} job={job} />
    </Screen>
  )
}

const megabyte = 1_048_576

function Upload({ job }: JobProps) {
  const [file, setFile] = useState<File>()
  const isTooLarge = file !== undefined && file.size > adminLimits.maxPartBytes
  const type = file?.name.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson'
  const params = { import: job.id, part: String(job.parts + 1) }
  return (
    <Action
      label={job.parts === 0 ? 'Upload a file' : 'Upload another file'}
      title="Upload a file"
      description="NDJSON, or CSV if its name ends with .csv. Upload a larger file in parts."
      verb="Upload"
      isDisabled={file === undefined || isTooLarge}
      route={uploadImportPart}
      input={{ params, file: { content: file ?? new Blob(), type } }}
    >
      <TextField
        label="File"
        type="file"
        accept=".csv,.ndjson,.jsonl,.json"
        hint={`At most ${adminLimits.maxPartBytes / megabyte} MB.`}
        problem={isTooLarge ? `The file is larger than ${adminLimits.maxPartBytes / megabyte} MB` : undefined}
        onChange={({ target }) => setFile(target.files?.[0])}
      />
    </Action>
  )
}

const resultTones = { created: 'good', merged: 'good', conflict: 'bad', skipped: 'warning' } as const

function Report({ job }: JobProps) {
  const search = route.useSearch()
  const result = importResults.find((each) => each === search.result)
  const navigate = route.useNavigate()
  const input = { params: { import: job.id }, query: { result } } as CallInput<typeof readImportReport>
  const query = useInfiniteQuery({
    ...adminStreamPages(readImportReport, input),
    refetchInterval: job.state === 'running' ? importsRefreshMs : false,
  })
  const columns = defineColumns<AdminImportRow>([
    { header: 'Line', cell: ({ part, line }) => (job.parts > 1 ? `${part}, line ${line}` : line) },
    {
      header: 'Result',
      cell: (row) => <Badge tone={resultTones[row.result]}>{row.result}</Badge>,
    },
    {
      header: 'Why',
      cell: ({ why, leftOut }) => (
        <span className={styles.stack}>
          {why !== null && <span>{importReasons[why]}</span>}
          {leftOut.map((each) => (
            <Muted key={each}>Left out: {importOmissions[each]}</Muted>
          ))}
        </span>
      ),
    },
    {
      header: 'User',
      cell: ({ id }) =>
        id !== null && (
          <Link to="/apps/$app/users/$user" params={{ app: job.appId, user: id }}>
            {id.slice(0, 12)}…
          </Link>
        ),
    },
  ])
  return (
    <Card title="Report" actions={<CurlButton route={readImportReport} input={input} />}>
      <div className={styles.cardFilters}>
        <SelectField
          label="Result"
          options={[['', 'All'], ...importResults.map((each) => [each, each] as const)]}
          value={result ?? ''}
          onChange={({ target }) =>
            navigate({ search: target.value === '' ? {} : { result: target.value as ImportResult } })
          }
        />
      </div>
      <PagedTable label="Report" query={query} columns={columns} empty="There are no records with a result" />
    </Card>
  )
}
