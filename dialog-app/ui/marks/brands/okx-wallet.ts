import type { MarkDrawing } from '../mark.tsx'

export const okxWallet: MarkDrawing = [
  {
    fill: 'currentColor',
    path: 'M3 3h4.7v4.7H3ZM12.3 3H17v4.7h-4.7ZM7.7 7.7h4.6v4.6H7.7ZM3 12.3h4.7V17H3ZM12.3 12.3H17V17h-4.7Z',
  },
]
