import { vi } from 'vitest';

/** Replaces the browser's WebSocket: a test opens it, sends messages through it and closes it. */
export class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static opened: FakeSocket[] = [];

  readonly url: string;
  readyState: number = FakeSocket.CONNECTING;
  binaryType = 'blob';
  bufferedAmount = 0;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSocket.opened.push(this);
  }

  /** The server accepts the connection and sends messages. */
  open(...messages: readonly object[]): void {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event('open'));
    for (const message of messages) this.receive(message);
  }

  /** The app receives a message of the server. */
  receive(message: unknown): void {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  /** Texts of the app. */
  readonly sent: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }

  /** The connection is lost, or the server closes it. */
  drop(code = 1006): void {
    this.readyState = FakeSocket.CLOSED;
    this.dispatchEvent(new CloseEvent('close', { code }));
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }
}

/** Installs the fake; `FakeSocket.opened` lists the sockets that the app has opened. */
export function stubSockets(): void {
  FakeSocket.opened = [];
  vi.stubGlobal('WebSocket', FakeSocket);
}
