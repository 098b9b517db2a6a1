#!/bin/sh
# Starts Dask on four nodes with TLS, and runs tag.py: sbatch slurm.sh
#SBATCH --ntasks=4 --cpus-per-task=8
umask 077
openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=run -keyout key.pem -out cert.pem
tls="--tls-ca-file cert.pem --tls-cert cert.pem --tls-key key.pem"
dask scheduler --protocol tls --scheduler-file scheduler.json $tls &
scheduler=$!
until [ -s scheduler.json ]; do sleep 1; done
srun dask worker --scheduler-file scheduler.json --nthreads 8 --protocol tls $tls &
python tag.py
kill $scheduler # its workers end, too
