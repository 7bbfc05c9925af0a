import type { OperatorPasskeys } from '@latchkey/protocol/admin'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CallFailure } from '../api/call.ts'
import { addPasskey, goToOidcProvider, passkeysQuery, removePasskey } from '../api/session.ts'
import { Card, Screen } from '../shell/screen.tsx'
import { useSession } from '../shell/session.ts'
import { Button } from '../ui/button.tsx'
import { DataTable, defineColumns } from '../ui/data-table.tsx'
import { Empty, Loaded, Muted, Problem, Time } from '../ui/states.tsx'

type Passkey = OperatorPasskeys['data'][number]

export function Passkeys() {
  const client = useQueryClient()
  const query = useQuery(passkeysQuery)
  const onSuccess = (passkeys: OperatorPasskeys) => client.setQueryData(passkeysQuery.queryKey, passkeys)
  const addition = useMutation({ mutationFn: addPasskey, onSuccess })
  const removal = useMutation({ mutationFn: removePasskey, onSuccess })
  const departure = useMutation({ mutationFn: () => goToOidcProvider(true) })
  const isPending = addition.isPending || removal.isPending || departure.isPending
  const isOidc = useSession().signIn === 'oidc'
  const isSole = query.data?.data.length === 1
  const needsSignIn =
    addition.error instanceof CallFailure && addition.error.code === 'recent_sign_in_required'
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
      lead={
        isOidc
          ? 'They confirm calls. Your provider signs you in.'
          : 'Each of them signs you in and confirms calls.'
      }
      actions={
        <Button kind="primary" disabled={isPending} onClick={() => addition.mutate()}>
          Add a passkey
        </Button>
      }
    >
      <Problem error={departure.error ?? addition.error ?? removal.error} />
      {needsSignIn && (
        <div>
          <Button disabled={isPending} onClick={() => departure.mutate()}>
            Sign in again
          </Button>
        </div>
      )}
      {isSole && !isOidc && (
        <Card isPadded>
          <p>Add a second passkey on another device. A lost device then does not lock you out.</p>
        </Card>
      )}
      <Card>
        <Loaded query={query}>
          {({ data }) => (
            <DataTable
              label="Passkeys"
              columns={columns}
              data={data}
              empty={<Empty title="There is no passkey yet">Calls that destroy something need one.</Empty>}
            />
          )}
        </Loaded>
      </Card>
      <Muted>
        Adding and removing need a confirmation with a registered passkey.
        {isOidc && ' The first one needs a sign-in within the last five minutes.'}
      </Muted>
    </Screen>
  )
}
