import type { OperatorPasskeys } from '@latchkey/protocol/admin'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { addPasskey, passkeysQuery, removePasskey } from '../api/session.ts'
import { Card, Screen } from '../shell/screen.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable, defineColumns } from '../ui/data-table.tsx'
import { Loaded, Muted, Problem, Time } from '../ui/states.tsx'

type Passkey = OperatorPasskeys['data'][number]

export function Passkeys() {
  const client = useQueryClient()
  const query = useQuery(passkeysQuery)
  const onSuccess = (passkeys: OperatorPasskeys) => client.setQueryData(passkeysQuery.queryKey, passkeys)
  const addition = useMutation({ mutationFn: addPasskey, onSuccess })
  const removal = useMutation({ mutationFn: removePasskey, onSuccess })
  const isPending = addition.isPending || removal.isPending
  const isSole = query.data?.data.length === 1
  const columns = defineColumns<Passkey>([
    { header: 'Passkey', cell: ({ id }) => <code>{id.slice(0, 16)}</code> },
    { header: 'Registered', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      header: '',
      cell: ({ id }) =>
        !isSole && (
          <Button kind="danger" disabled={isPending} onClick={() => removal.mutate(id)}>
            Remove
          </Button>
        ),
    },
  ])
  return (
    <Screen
      title="Your passkeys"
      lead="Each of them signs you in and confirms calls."
      actions={
        <Button kind="primary" disabled={isPending} onClick={() => addition.mutate()}>
          Add a passkey
        </Button>
      }
    >
      <Problem error={addition.error ?? removal.error} />
      {isSole && (
        <Card isPadded>
          <p>Add a second passkey on another device. A lost device then does not lock you out.</p>
        </Card>
      )}
      <Card>
        <Loaded query={query}>
          {({ data }) => <DataTable label="Passkeys" columns={columns} data={data} empty={undefined} />}
        </Loaded>
      </Card>
      <Muted>Adding and removing need a confirmation with a registered passkey.</Muted>
    </Screen>
  )
}
