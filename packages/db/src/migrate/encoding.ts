import type pg from 'pg';
import { UnsuitableDatabase } from './unsuitable-database.ts';

/** A new database whose encoding is not UTF8: texts of reports need all of Unicode, and a backup must read them back. */
class WrongEncoding extends UnsuitableDatabase {
  constructor(encoding: string) {
    super(
      `The database has the encoding ${encoding}; Riskboard needs UTF8. Create it with: createdb --owner=OWNER --template=template0 --encoding=UTF8 --locale=C.UTF-8 --locale-provider=icu --icu-locale=und NAME`,
    );
    this.name = 'WrongEncoding';
  }
}

/** @throws WrongEncoding */
export async function requireUtf8(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ encoding: string }>(
    `select current_setting('server_encoding') as encoding`,
  );
  const encoding = rows[0]?.encoding ?? '';
  if (encoding !== 'UTF8') throw new WrongEncoding(encoding);
}
