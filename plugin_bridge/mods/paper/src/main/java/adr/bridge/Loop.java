package adr.bridge;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The bridge's only thread. A fault in a task is logged and does not end it. */
final class Loop implements Executor {
    private final ScheduledThreadPoolExecutor pool;
    private final Logger log;

    Loop(Logger log) {
        this.log = log;
        pool = new ScheduledThreadPoolExecutor(1, task -> thread(task, "adr-bridge"));
        pool.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** A thread that does not keep the server from ending. */
    static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        later(0, task);
    }

    /** Runs a task after some milliseconds. Once stopped, nothing runs any more. */
    void later(long millis, Runnable task) {
        try {
            pool.schedule(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    log.log(Level.SEVERE, "A fault in the bridge", e);
                }
            }, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // Stopped: whoever still calls is on the way out.
        }
    }

    /** Ends the thread; waits at most two seconds for the task that it is in. */
    void stop() throws InterruptedException {
        pool.shutdown();
        pool.awaitTermination(2, TimeUnit.SECONDS);
    }
}
