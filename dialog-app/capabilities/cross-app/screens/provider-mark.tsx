import { useState } from 'react'
import { RowIcon } from '../../../ui/lazy/row-icon.tsx'
import { useExternalUrl } from '../../../ui/outside.ts'
import type { ProviderApp } from '../provider/provider-app.ts'
import styles from './provider-mark.module.css'

type ProviderMarkProps = { app: ProviderApp; size?: number }

/** Shows the provider's icon, or a default icon. It needs no alt text, because the name is next to it. */
export function ProviderMark({ app, size = 20 }: ProviderMarkProps) {
  const url = useExternalUrl(app.iconUrl ?? undefined)
  const [failed, setFailed] = useState<string>()
  if (url === undefined || url === failed) return <RowIcon name="wallet" size={size} />
  return (
    <img
      className={styles.icon}
      src={url}
      alt=""
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      onError={() => setFailed(url)}
    />
  )
}
