/** A file of a multipart form; `name` is written to the header unchanged. */
export interface FormFile {
  name?: string;
  content: string | Buffer;
  field?: string;
}

const boundary = 'a-boundary-of-the-tests';
const type = `multipart/form-data; boundary=${boundary}`;

const head = ({ name, field = 'stixFile' }: FormFile): string => {
  const fileName = name === undefined ? '' : `; filename="${name.replaceAll('"', '%22')}"`;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${fileName}\r\n${name === undefined ? '' : 'Content-Type: application/octet-stream\r\n'}\r\n`;
};

/** A multipart body as browsers write it, with its content type. */
export function form(...files: FormFile[]): { headers: Record<string, string>; payload: Buffer } {
  const parts = files.flatMap((file) => [
    Buffer.from(head(file)),
    Buffer.from(file.content),
    Buffer.from('\r\n'),
  ]);
  return {
    headers: { 'content-type': type },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
