import { type AdminDescriptor, adminDescriptorRoutes } from '@latchkey/protocol/admin'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { adminQuery } from '../api/queries.ts'
import { Action } from '../shell/action.tsx'
import { Card, CurlButton, Screen } from '../shell/screen.tsx'
import { useCan } from '../shell/session.ts'
import { defineColumns, ListTable } from '../ui/data-table.tsx'
import { TextField } from '../ui/fields.tsx'
import { Muted, Time } from '../ui/states.tsx'
import styles from './screens.module.css'

const route = getRouteApi('/signed-in/apps/$app/descriptors')
const { listDescriptors, addDescriptor, removeDescriptor } = adminDescriptorRoutes

const kinds = { contract: 'calls', eip712: 'typed data' } as const

export function Descriptors() {
  const params = route.useParams()
  const can = useCan()
  const input = { params }
  const query = useQuery(adminQuery(listDescriptors, input))
  const columns = defineColumns<AdminDescriptor>([
    {
      header: 'Descriptor',
      cell: ({ id, owner }) => (
        <span className={styles.stack}>
          {owner}
          <Muted>
            <code title={id}>{id.slice(0, 12)}</code>
          </Muted>
        </span>
      ),
    },
    { header: 'Describes', cell: ({ kind }) => kinds[kind] },
    {
      header: 'Contracts',
      cell: ({ contracts }) => (
        <span className={styles.stack}>
          {contracts.map(({ chainId, address }) => (
            <span key={`${chainId}/${address}`}>
              <Muted>chain {chainId}</Muted> <code>{address}</code>
            </span>
          ))}
        </span>
      ),
    },
    { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      header: '',
      cell: ({ id, owner }) =>
        can('apps:write') && (
          <Action
            label="Remove"
            title={`Remove the descriptor of ${owner}?`}
            description="The confirmation page shows its calls without words from then on."
            verb="Remove"
            isDangerous
            route={removeDescriptor}
            input={{ params: { ...params, descriptor: id } }}
          />
        ),
    },
  ])
  return (
    <Screen
      title="Descriptors"
      lead="ERC-7730 files with words for calls and typed data. The confirmation page shows them below the raw data, as not checked."
      call={<CurlButton route={listDescriptors} input={input} />}
      actions={can('apps:write') && <AddDescriptor app={params.app} />}
    >
      <Card>
        <ListTable label="Descriptors" query={query} columns={columns} empty="There are no descriptors" />
      </Card>
      <Muted>
        A descriptor is pinned by its hash, and bound to the code of its contracts. After an upgrade of a
        contract, check the file, remove it and add it again.
      </Muted>
    </Screen>
  )
}

function AddDescriptor({ app }: { app: string }) {
  const [file, setFile] = useState<string>()
  const [skipped, setSkipped] = useState<{ chainId: string; address: string }[]>([])
  return (
    <>
      {skipped.length > 0 && (
        <Muted>
          Skipped, because the chain has no node:{' '}
          {skipped.map(({ chainId }) => `chain ${chainId}`).join(', ')}
        </Muted>
      )}
      <Action
        label="Add descriptor"
        title="Add a descriptor"
        description="The server checks the file, and reads the present code of its contracts at the nodes of their chains."
        verb="Add"
        isDisabled={file === undefined}
        route={addDescriptor}
        input={{ params: { app }, body: { file: file ?? '' } }}
        onDone={({ output }) => {
          setFile(undefined)
          setSkipped(output.skipped)
        }}
      >
        <TextField
          label="File"
          hint="A JSON file of at most 128 KiB, without includes."
          type="file"
          accept=".json,application/json"
          onChange={async ({ target }) => setFile(await target.files?.[0]?.text())}
        />
      </Action>
    </>
  )
}
