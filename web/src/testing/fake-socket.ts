import { vi } from 'vitest';

/** Stands in for the browser's WebSocket: a test opens, speaks and closes it. */
export class FakeSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static made: FakeSocket[] = [];

  readonly url: string;
  readyState: number = FakeSocket.CONNECTING;
  binaryType = 'blob';
  bufferedAmount = 0;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSocket.made.push(this);
  }

  /** The server takes the connection and speaks. */
  open(...messages: readonly object[]): void {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event('open'));
    for (const message of messages) this.say(message);
  }

  say(message: unknown): void {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  /** The connection breaks, or the server ends it. */
  drop(code = 1006): void {
    this.readyState = FakeSocket.CLOSED;
    this.dispatchEvent(new CloseEvent('close', { code }));
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
  }
}

/** Puts the fake in the browser's place; `FakeSocket.made` lists what the app has opened. */
export function stubSockets(): void {
  FakeSocket.made = [];
  vi.stubGlobal('WebSocket', FakeSocket);
}
