import type { adminHookRoutes, adminWebhookRoutes } from '@latchkey/protocol/admin'
import { useChange } from '../shell/action.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Modal } from '../ui/modal.tsx'
import { Muted, Problem, Time } from '../ui/states.tsx'
import styles from './screens.module.css'

type SigningSecretsProps = {
  route: typeof adminWebhookRoutes.readWebhookSecret | typeof adminHookRoutes.readHookSecret
  params: Record<string, string>
}

/** Shows the secrets of a webhook or hook after a confirmation by passkey. */
export function SigningSecrets({ route, params }: SigningSecretsProps) {
  const read = useChange(route)
  const close = () => read.reset()
  return (
    <>
      <Button disabled={read.isPending} onClick={() => read.mutate({ params })}>
        Show the secret
      </Button>
      <Modal
        isOpen={read.data !== undefined || read.error !== null}
        onOpenChange={close}
        title="Signing secrets"
        description="Requests are signed with each of these."
        buttons={<Button onClick={close}>Close</Button>}
      >
        <Problem error={read.error} />
        {read.data?.output.data.map(({ secret, publicKey, expiresAt }) => (
          <div key={secret} className={styles.form}>
            <code>{secret}</code>
            <div className={styles.row}>
              <CopyButton label="Copy secret" text={secret} />
              <CopyButton label="Copy public key" text={publicKey} />
              {expiresAt !== null && (
                <Muted>
                  until <Time at={expiresAt} />
                </Muted>
              )}
            </div>
          </div>
        ))}
      </Modal>
    </>
  )
}
