import { AppRoot } from '@/components/workbench/app-root';

export default function Page() {
  return <AppRoot />;
}
