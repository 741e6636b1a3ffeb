import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    include: ['chunk-plan.test.ts', 'layers.test.ts', 'src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    // Dates are shown in the reader's time zone; here the reader lives in UTC.
    env: { TZ: 'UTC' },
    // Loading modules and the DOM anew for each file took twice as long as the tests; setup.ts cleans up after each test.
    isolate: false,
  },
});
