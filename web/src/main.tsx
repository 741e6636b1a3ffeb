import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { keepPageWhileUnreachable } from './lib/api/chunk-failure.ts';
import { createQueryClient } from './lib/api/query-client.ts';
import { refuseFileDrops } from './lib/browser/file-drop.ts';
import { createAppRouter } from './router.tsx';
import './styles/main.css';

keepPageWhileUnreachable();
refuseFileDrops();
const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
createRoot(root).render(
  <StrictMode>
    <App router={router} queryClient={queryClient} nonce={nonce} />
  </StrictMode>,
);
