import type { MarkDrawing } from '../mark.tsx'

export const rabbyWallet: MarkDrawing = [
  {
    fill: '#7084ff',
    path: 'M3 7.2C3.6 5.2 5.4 4.2 7.4 4.6l3.8.9c3.4.8 6 3 6 5.7 0 2.5-2.4 4.3-6 4.3-3.2 0-5.6-1-7.6-2.3-.6-.4-.3-1.2.4-1.2 1.6 0 3-.4 3.4-1.3-2.6.2-5-.9-4.4-3.5Z',
  },
  { fill: '#fff', path: 'M12.2 8.8a.9.9 0 1 1 0 1.8a.9.9 0 1 1 0-1.8Z' },
]
